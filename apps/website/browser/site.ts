import { enableCopying } from './dom/copying';
import { enhanceForms } from './dom/forms';
import { enableMenus } from './dom/menus';
import { hideServedNoticeLater } from './dom/notices';
import { hideHeaderWhileScrollingDown, showCurrentTabs } from './dom/scrolling';
import { enableFileDrops } from './dom/file-drops';

enableMenus();
enableCopying();
hideServedNoticeLater();
hideHeaderWhileScrollingDown();
showCurrentTabs();
// Back shows a stored page, on which a notification that was just opened would still be unread.
addEventListener('pageshow', ({ persisted }) => {
  const [entry] = performance.getEntriesByType('navigation');
  const isBack = persisted || (entry as PerformanceNavigationTiming | undefined)?.type === 'back_forward';
  if (isBack && document.querySelector('.notification.unread')) location.reload();
});
// Lazy pictures are on paper too.
addEventListener('beforeprint', () => {
  for (const image of document.images) image.loading = 'eager';
});
// The upload page takes files itself. On a page that offers to add files to a post, they are for that post.
if (!document.getElementById('upload')) {
  enableFileDrops((files) => {
    const fields = document.querySelectorAll<HTMLTextAreaElement>('textarea, input[type=text]');
    const isTyped = [...fields].some(({ value, defaultValue }) => value !== defaultValue);
    if (isTyped && !confirm('Leave this page, and what you have typed, to upload?')) return;
    const page = document.querySelector('a[href^="/upload?post="]')?.getAttribute('href') ?? '/upload';
    void import('./sharing/shared-files').then(({ uploadDropped }) => uploadDropped(files, page));
  });
}
// Loaded when somebody is about to search, perhaps since before this script ran.
const search = document.getElementById('site-search');
const suggest = (): void => void import('./dom/suggestions').then((part) => part.enableSuggestions());
if (search && search === document.activeElement) suggest();
else search?.addEventListener('focus', suggest, { once: true });
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
