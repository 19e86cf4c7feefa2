import { enhanceForms } from './forms';
import { elementOf } from './markup';

/** Follows and unfollows users without a page load; the focus stays on the button. */
export function enableFollowing(): void {
  enhanceForms('follow', {
    done({ html }, form) {
      if (html === undefined) return;
      const next = elementOf(html);
      const field = next.querySelector('input[name="next"]');
      if (field instanceof HTMLInputElement) field.value = location.pathname + location.search;
      form.replaceWith(next);
      next.querySelector('button')?.focus();
    },
  });
}
