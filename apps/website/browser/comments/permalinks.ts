/** Goes to the comment that the address names, also if it is on another page of the thread. */
export function enablePermalinks(): void {
  findComment();
  addEventListener('hashchange', findComment);
  document.addEventListener('click', (event) => {
    if (!(event.target instanceof Element) || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const link = event.target.closest<HTMLAnchorElement>('a.comment-time, a.comment-parent');
    if (!link || document.getElementById(link.hash.slice(1)) === null) return;
    // The comment is on this page, so only the fragment has to change.
    event.preventDefault();
    location.hash = link.hash;
  });
}

function findComment(): void {
  const id = /^#c(\d+)$/.exec(location.hash)?.[1];
  if (id === undefined) return;
  // The browser itself scrolls to a comment on this page.
  if (document.getElementById(`c${id}`) !== null) return;
  const url = new URL(location.href);
  // The page was already loaded for this comment, and it isn't there.
  if (url.searchParams.get('comment') === id) return;
  url.searchParams.set('comment', id);
  location.replace(url);
}
