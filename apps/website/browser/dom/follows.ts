import { enhanceForms } from './forms';
import { elementOf } from './markup';

/** Follows, unfollows and saves without a page load; the focus stays on the button. */
export function enableFollowing(): void {
  enhanceForms('follow', {
    done({ html }, form) {
      if (html === undefined) return;
      const next = elementOf(html);
      // Also that of the collections, beside the button.
      for (const field of next.querySelectorAll<HTMLInputElement>('input[name="next"]'))
        field.value = location.pathname + location.search;
      (form.closest('[data-swap]') ?? form).replaceWith(next);
      next.querySelector('button')?.focus();
    },
  });
}
