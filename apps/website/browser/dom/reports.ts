import { enhanceForms } from './forms';

/** Sends reports without a page load. */
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
