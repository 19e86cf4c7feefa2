import { enableCopying } from './dom/copying';
import { enhanceForms } from './dom/forms';
import { enableMenus } from './dom/menus';
import { hideServedNoticeLater } from './dom/notices';

enableMenus();
enableCopying();
hideServedNoticeLater();
// Forms that only redirect.
enhanceForms('go', {});
// Asks for confirmation before actions that can't be undone.
document.addEventListener(
  'submit',
  (event) => {
    const question = (event.target as HTMLElement).dataset['confirm'];
    if (question !== undefined && !confirm(question)) event.preventDefault();
  },
  true,
);
