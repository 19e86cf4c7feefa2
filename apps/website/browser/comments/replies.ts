import { freshNumber } from '../dom/forms';
import { parseMarkup } from '../dom/markup';
import { restoreDraft } from './drafts';
import { commentFormOf, textOf } from './forms';

/** Opens the reply form under a comment, and loads replies that the page left out. */
export function enableReplies(): void {
  document.addEventListener('click', (event) => {
    if (!(event.target instanceof Element) || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const reply = event.target.closest<HTMLAnchorElement>('a[data-reply]');
    if (reply && openReply(reply)) event.preventDefault();
    const more = event.target.closest<HTMLAnchorElement>('a[data-more-replies]');
    if (more) {
      event.preventDefault();
      void bringReplies(more);
    }
    const cancel = event.target.closest('[data-cancel]');
    const form = commentFormOf(cancel);
    if (form) closeReply(form);
  });
  document.addEventListener('keydown', (event) => {
    const form = commentFormOf(event.target);
    if (!form) return;
    // During text composition, Escape and Enter belong to the input method.
    if (event.isComposing) return;
    if (event.key === 'Escape' && form.dataset['opened'] !== undefined) closeReply(form);
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.requestSubmit();
  });
}

/** Returns false if there is no form to open; the link then leads to a page with the form. */
function openReply(link: HTMLAnchorElement): boolean {
  const comment = link.closest<HTMLElement>('.comment');
  const template = document.querySelector<HTMLTemplateElement>('#reply-template');
  if (!comment || !template) return false;
  const opened = comment.querySelector<HTMLFormElement>(':scope > form.comment-form');
  const form = opened ?? formFrom(template, comment.dataset['comment'] ?? '', link.dataset['reply'] ?? '');
  if (!opened) {
    comment.querySelector('.comment-body')?.after(form);
    restoreDraft(form);
  }
  textOf(form)?.focus();
  return true;
}

/** Closes a reply form; the text stays stored as a draft. */
function closeReply(form: HTMLFormElement): void {
  const link = form.closest('.comment')?.querySelector<HTMLElement>('[data-reply]');
  form.remove();
  link?.focus();
}

function formFrom(template: HTMLTemplateElement, id: string, name: string): HTMLFormElement {
  const form = (template.content.cloneNode(true) as DocumentFragment).querySelector('form');
  if (!form) throw new TypeError('The template holds no form.');
  const label = `Your reply to ${name}`;
  for (const part of [form, ...form.querySelectorAll('[id]')]) part.id = `${part.id}-${id}`;
  for (const part of form.querySelectorAll('[for], [aria-describedby]')) {
    for (const attribute of ['for', 'aria-describedby']) {
      const value = part.getAttribute(attribute);
      if (value !== null) part.setAttribute(attribute, `${value}-${id}`);
    }
  }
  const field = textOf(form);
  if (field) field.placeholder = label;
  const words = form.querySelector('label');
  if (words) words.textContent = label;
  const cancel = form.querySelector<HTMLElement>('[data-cancel]');
  if (cancel) cancel.hidden = false;
  form.dataset['opened'] = '';
  setHidden(form, 'parent_id', id);
  setHidden(form, 'parent_name', name);
  // Each copy of the template needs its own form number.
  setHidden(form, '_form', freshNumber());
  return form;
}

function setHidden(form: HTMLFormElement, name: string, value: string): void {
  let field = form.querySelector<HTMLInputElement>(`input[name="${name}"]`);
  if (!field) {
    field = document.createElement('input');
    field.type = 'hidden';
    field.name = name;
    form.prepend(field);
  }
  field.value = value;
}

async function bringReplies(link: HTMLAnchorElement): Promise<void> {
  const row = link.closest('li');
  if (!row || link.ariaBusy === 'true') return;
  link.ariaBusy = 'true';
  try {
    const response = await fetch(link.href);
    if (!response.ok) throw new TypeError(`The replies came with status ${response.status}.`);
    const page = parseMarkup(await response.text());
    const brought = [...page.querySelectorAll<HTMLElement>('[data-replies-list] > ol > .comment')].filter(
      ({ id }) => document.getElementById(id) === null,
    );
    row.before(...brought.map((item) => document.adoptNode(item)));
    brought[0]?.focus({ preventScroll: true });
    const next = page.querySelector('a[rel="next"]')?.getAttribute('href');
    if (next === null || next === undefined) row.remove();
    else link.href = next;
  } catch {
    location.assign(link.href);
  } finally {
    link.ariaBusy = null;
  }
}
