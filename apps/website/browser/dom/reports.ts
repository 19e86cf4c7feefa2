import { enhanceForms } from './forms';

/** Reports without leaving the page. */
export function enableReporting(): void {
  enhanceForms('report', {
    done(_, form) {
      const fold = form.closest('details');
      form.reset();
      if (!fold) return;
      fold.open = false;
      fold.querySelector('summary')?.focus();
    },
  });
}
