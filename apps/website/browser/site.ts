import { enableCopying } from './dom/copying';
import { enhanceForms } from './dom/forms';
import { enableMenus } from './dom/menus';
import { letServedNoticePass } from './dom/notices';

enableMenus();
enableCopying();
letServedNoticePass();
// Forms that only lead on.
enhanceForms('go', {});
// A confirmation before what can't be undone.
document.addEventListener(
  'submit',
  (event) => {
    const question = (event.target as HTMLElement).dataset['confirm'];
    if (question !== undefined && !confirm(question)) event.preventDefault();
  },
  true,
);
