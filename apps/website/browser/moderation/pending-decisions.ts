import { fieldsOf, FormError, logInLink, sendForm } from '../dom/forms';
import { elementOf, parseMarkup } from '../dom/markup';
import { showNotice } from '../dom/notices';

/** Time in milliseconds for which a decision is held back, so that a mistake can be undone before it is sent. */
const UNDO_WINDOW_MS = 4_000;
/** More cards are loaded when at most this many are left. */
const FEW_CARDS = 10;
/** Interval in milliseconds at which a queue with few cards is refreshed. */
const REFRESH_INTERVAL_MS = 20_000;
/** Maximum number of decisions that can be undone. */
const MAX_UNDOABLE = 100;

interface PendingDecision {
  readonly card: HTMLElement;
  readonly form: HTMLFormElement;
  readonly submitter: HTMLElement;
  /** The next card in the queue at that time. */
  readonly next: HTMLElement | null;
  state: 'held' | 'sending' | 'done';
  timer: number;
  /** The form that undoes the decision after it was executed. */
  undo?: HTMLFormElement;
  /** Time at which it was executed; pages that were requested later don't contain the card. */
  doneAt: number;
  /** Whether to undo it as soon as it is executed. */
  undoWhenSent: boolean;
}

/**
 * Manages the decisions of a moderator: removes a decided card at once and focuses the next one, sends decisions a few
 * seconds later, puts the card back with the reason if that fails, and loads more cards in time.
 */
export class PendingDecisions {
  private readonly queue = required('queue');
  private readonly bar = required('undo-bar');
  private readonly empty = required('queue-empty');
  private readonly undoable: PendingDecision[] = [];
  private readonly unfinished = new Set<PendingDecision>();
  /** Messages by card id, for posts that have changed since the card was shown. */
  private readonly changed = new Map<string, string>();
  private total = Number(required('queue-total').dataset['total']);
  private isRefreshing = false;
  private refreshesAgain = false;

  constructor() {
    this.empty.tabIndex = -1;
    // Without scripts, the queue is divided into pages.
    document.getElementById('queue-pages')?.remove();
    addEventListener('pagehide', () => this.sendByBeacon());
    // A page from the back-forward cache doesn't know the results of its last decisions.
    addEventListener('pageshow', ({ persisted }) => persisted && location.reload());
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'hidden') this.sendHeld();
      else void this.refresh();
    });
    setInterval(() => {
      if (document.visibilityState === 'visible' && this.cards().length <= FEW_CARDS) void this.refresh();
    }, REFRESH_INTERVAL_MS);
  }

  /** The card with the focus, or the first one. */
  current(): HTMLElement | undefined {
    return document.activeElement?.closest<HTMLElement>('.queue-card') ?? this.cards()[0];
  }

  /** Focuses the next or the previous card and hides open previews of others. */
  move(step: 1 | -1): boolean {
    const cards = this.cards();
    const focused = document.activeElement?.closest<HTMLElement>('.queue-card');
    const card = focused ? cards[cards.indexOf(focused) + step] : cards[0];
    if (!card) return false;
    focus(card);
    return true;
  }

  decide(form: HTMLFormElement, submitter: HTMLElement): void {
    const card = form.closest<HTMLElement>('.queue-card');
    if (!card) return;
    const cards = this.cards();
    const at = cards.indexOf(card);
    const one: PendingDecision = {
      card,
      form,
      submitter,
      next: cards[at + 1] ?? null,
      state: 'held',
      timer: window.setTimeout(() => void this.send(one), UNDO_WINDOW_MS),
      doneAt: Infinity,
      undoWhenSent: false,
    };
    for (const line of card.querySelectorAll('[data-error]')) line.remove();
    hidePreviews(null);
    card.remove();
    this.undoable.push(one);
    if (this.undoable.length > MAX_UNDOABLE) this.undoable.shift();
    this.unfinished.add(one);
    this.count(-1);
    this.showUndoBar();
    const following = cards[at + 1] ?? cards[at - 1];
    if (following) focus(following);
    else this.empty.focus({ preventScroll: true });
    this.refreshIfFew();
  }

  /** Undoes the latest decision that isn't undone yet. */
  async undo(): Promise<void> {
    const one = this.undoable.pop();
    if (!one) return showNotice('There is nothing to undo.');
    this.showUndoBar();
    if (one.state === 'held') {
      clearTimeout(one.timer);
      this.putBack(one);
      focus(one.card);
    } else if (one.state === 'sending') {
      one.undoWhenSent = true;
    } else {
      await this.undoSent(one);
    }
  }

  private async undoSent(one: PendingDecision): Promise<void> {
    if (!one.undo) return showNotice(`The decision on ${nameOf(one)} can no longer be undone.`, 'error');
    try {
      const { notice } = await sendForm(one.undo);
      this.putBack(one);
      focus(one.card);
      if (notice !== undefined) showNotice(notice);
    } catch (error) {
      if (!(error instanceof FormError)) throw error;
      showNotice(`The decision on ${nameOf(one)} was not undone. ${error.message}`, 'error');
      this.undoable.push(one);
      this.showUndoBar();
    }
  }

  private sendHeld(): void {
    for (const one of this.unfinished) if (one.state === 'held') void this.send(one);
  }

  /**
   * The page is being left and can't receive responses, so the decisions are sent by beacon. A request on its way ends with
   * the page; if it has arrived, the site executes the decision only once.
   */
  private sendByBeacon(): void {
    for (const one of this.unfinished) {
      if (one.undoWhenSent) continue;
      clearTimeout(one.timer);
      one.state = 'sending';
      navigator.sendBeacon(one.form.action, fieldsOf(one.form, one.submitter));
    }
  }

  private async send(one: PendingDecision): Promise<void> {
    clearTimeout(one.timer);
    one.state = 'sending';
    try {
      const { html } = await sendForm(one.form, one.submitter);
      const undo = html === undefined ? null : elementOf(html);
      if (undo instanceof HTMLFormElement) one.undo = undo;
      one.state = 'done';
      one.doneAt = performance.now();
      this.unfinished.delete(one);
      if (one.undoWhenSent) await this.undoSent(one);
      // Until now, the server's queue still contained the card.
      this.refreshIfFew();
    } catch (error) {
      if (!(error instanceof FormError)) throw error;
      this.handleFailure(one, error);
    }
  }

  /** Puts the card back with the reason, unless the item no longer exists. */
  private handleFailure(one: PendingDecision, error: FormError): void {
    const at = this.undoable.indexOf(one);
    if (at >= 0) this.undoable.splice(at, 1);
    this.showUndoBar();
    if (error.status === 404) {
      this.unfinished.delete(one);
      return showNotice(`${nameOf(one)} no longer exists.`);
    }
    if ('revision' in error.errors) {
      // The card shows old content; the next refresh shows the current content.
      this.unfinished.delete(one);
      this.changed.set(one.card.id, error.message);
      showNotice(`${nameOf(one)}: ${error.message}`, 'error');
      return void this.refresh();
    }
    this.putBack(one);
    const line = errorLine(`Decision not saved: ${error.message}`);
    if (error.logInPath !== undefined) line.append(' ', logInLink(error.logInPath, 'Log in (new tab)'));
    one.card.prepend(line);
    showNotice(`${nameOf(one)} is back in the queue: ${error.message}`, 'error');
  }

  private putBack(one: PendingDecision): void {
    this.unfinished.delete(one);
    // A refresh may have brought the card before the response to the undo, and has then counted it.
    const brought = document.getElementById(one.card.id);
    brought?.remove();
    const place = one.next?.isConnected ? one.next : this.queue.firstElementChild;
    this.queue.insertBefore(one.card, place);
    this.count(brought ? 0 : 1);
  }

  private refreshIfFew(): void {
    const here = this.cards().length;
    if (here <= FEW_CARDS && here < this.total) void this.refresh();
  }

  /** Adds waiting items that aren't on the page. */
  private async refresh(): Promise<void> {
    if (this.isRefreshing) {
      this.refreshesAgain = true;
      return;
    }
    this.isRefreshing = true;
    this.refreshesAgain = false;
    const askedAt = performance.now();
    try {
      const answer = await fetch('/moderation', { headers: { Accept: 'text/html' } });
      if (answer.ok && !answer.redirected) this.add(parseMarkup(await answer.text()), askedAt);
    } catch {
      // The next refresh may succeed; the cards stay.
    } finally {
      this.isRefreshing = false;
    }
    if (this.refreshesAgain) this.refreshIfFew();
  }

  private add(page: Document, askedAt: number): void {
    const known = new Set(this.cards().map(({ id }) => id));
    const leaving = new Set(
      [...this.undoable, ...this.unfinished]
        .filter(({ doneAt }) => doneAt > askedAt)
        .map(({ card }) => card.id),
    );
    const listed = [...page.querySelectorAll<HTMLElement>('.queue-card')];
    for (const card of listed) {
      if (known.has(card.id) || leaving.has(card.id)) continue;
      const reason = this.changed.get(card.id);
      if (reason === undefined) this.queue.append(document.adoptNode(card));
      else this.addChanged(document.adoptNode(card), reason);
    }
    // The server's total may still include decisions whose response has not arrived.
    const total = Number(page.getElementById('queue-total')?.dataset['total']);
    this.total = total - listed.filter(({ id }) => leaving.has(id)).length;
    this.count(0);
  }

  /** Puts a card that the moderator has just decided on first, with the reason why it is shown again. */
  private addChanged(card: HTMLElement, reason: string): void {
    this.changed.delete(card.id);
    card.prepend(errorLine(reason));
    this.queue.prepend(card);
  }

  private cards(): HTMLElement[] {
    return [...this.queue.querySelectorAll<HTMLElement>('.queue-card')];
  }

  private count(change: number): void {
    this.total = Math.max(this.cards().length, this.total + change);
    required('queue-total').textContent = `${this.total} waiting`;
    this.empty.hidden = this.cards().length > 0;
  }

  private showUndoBar(): void {
    const one = this.undoable.at(-1);
    if (!one) return this.bar.replaceChildren();
    const text = document.createElement('span');
    text.textContent = `${one.submitter.dataset['done'] ?? 'Decided'}: ${nameOf(one)}`;
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'button';
    const key = document.createElement('kbd');
    key.textContent = 'u';
    key.ariaHidden = 'true';
    button.append('Undo ', key);
    button.addEventListener('click', () => void this.undo());
    this.bar.replaceChildren(text, button);
  }
}

/** A message on a card that says why it is shown again; the next decision removes it. */
function errorLine(text: string): HTMLElement {
  const line = document.createElement('p');
  line.className = 'callout danger decision-error';
  line.dataset['error'] = '';
  line.textContent = text;
  return line;
}

const nameOf = ({ card }: PendingDecision): string => card.querySelector('h2 a')?.textContent ?? 'It';

function focus(card: HTMLElement): void {
  hidePreviews(card);
  card.focus({ preventScroll: true });
  card.scrollIntoView({ block: 'start' });
}

/** Closes open previews, so that nobody sees them by accident later. */
function hidePreviews(except: HTMLElement | null): void {
  for (const preview of document.querySelectorAll<HTMLDetailsElement>('.preview[open]'))
    if (!except?.contains(preview)) preview.open = false;
}

function required(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (!element) throw new Error(`There is no #${id} on this page.`);
  return element;
}
