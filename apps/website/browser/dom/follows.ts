import { enhanceForms } from './forms';
import { elementOf } from './markup';

/** Follows, unfollows and saves without a page load; the focus stays on the button, or where it is by then. */
export function enableFollowing(): void {
  enhanceForms('follow', {
    done({ html }, form) {
      if (html === undefined) return;
      const next = elementOf(html);
      // Also that of the collections, beside the button.
      for (const field of next.querySelectorAll<HTMLInputElement>('input[name="next"]'))
        field.value = location.pathname + location.search;
      const place = form.closest('[data-swap]') ?? form;
      const hadFocus = place.contains(document.activeElement);
      place.replaceWith(next);
      if (hadFocus) next.querySelector('button')?.focus();
    },
  });
}
