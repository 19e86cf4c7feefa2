import { fieldsOf, FormError, logInLink, sendForm } from '../dom/forms';
import { elementOf, parseMarkup } from '../dom/markup';
import { notify } from '../dom/notices';

/** How long a decision is held back, so that a slip is undone before anybody hears of it. */
const HELD_MS = 4_000;
/** More are asked for when so few are left. */
const FEW = 10;
/** How often a queue with few or none looks for more. */
const LOOK_MS = 20_000;
/** Decisions that can be undone. */
const REMEMBERED = 100;

interface Made {
  readonly card: HTMLElement;
  readonly form: HTMLFormElement;
  readonly submitter: HTMLElement;
  /** The card that came after it. */
  readonly next: HTMLElement | null;
  state: 'held' | 'sending' | 'done';
  timer: number;
  /** Takes it back once it is carried out. */
  undo?: HTMLFormElement;
  /** When it was carried out; what is asked for later doesn't hold the card any more. */
  doneAt: number;
  /** To be undone as soon as it is carried out. */
  isUnwanted: boolean;
}

/**
 * The queue as it is worked through: a decided card goes at once and the next one has the focus, decisions are sent a
 * few seconds later, failures bring the card back with the reason, and more cards come before the last one is gone.
 */
export class Desk {
  private readonly queue = required('queue');
  private readonly bar = required('undo-bar');
  private readonly empty = required('queue-empty');
  private readonly made: Made[] = [];
  private readonly unsettled = new Set<Made>();
  /** Cards, by id, whose decision was on the content before a change, with the message to show. */
  private readonly changed = new Map<string, string>();
  private total = Number(required('queue-total').dataset['total']);
  private isLooking = false;
  private looksAgain = false;

  constructor() {
    this.empty.tabIndex = -1;
    // Pages are for those without scripts.
    document.getElementById('queue-pages')?.remove();
    addEventListener('pagehide', () => this.sendLast());
    // Kept for the way back, the page has not heard what became of its last decisions.
    addEventListener('pageshow', ({ persisted }) => persisted && location.reload());
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'hidden') this.sendHeld();
      else void this.look();
    });
    setInterval(() => {
      if (document.visibilityState === 'visible' && this.cards().length <= FEW) void this.look();
    }, LOOK_MS);
  }

  /** The card that has the focus, or the first one. */
  current(): HTMLElement | undefined {
    return document.activeElement?.closest<HTMLElement>('.queue-card') ?? this.cards()[0];
  }

  /** Focuses the card `step` further; what the one before showed is hidden again. */
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
    const one: Made = {
      card,
      form,
      submitter,
      next: cards[at + 1] ?? null,
      state: 'held',
      timer: window.setTimeout(() => void this.send(one), HELD_MS),
      doneAt: Infinity,
      isUnwanted: false,
    };
    for (const line of card.querySelectorAll('[data-error]')) line.remove();
    hidePreviews(null);
    card.remove();
    this.made.push(one);
    if (this.made.length > REMEMBERED) this.made.shift();
    this.unsettled.add(one);
    this.count(-1);
    this.showLatest();
    const following = cards[at + 1] ?? cards[at - 1];
    if (following) focus(following);
    else this.empty.focus({ preventScroll: true });
    this.lookWhereFew();
  }

  /** Takes the latest decision back that isn't taken back yet. */
  async undo(): Promise<void> {
    const one = this.made.pop();
    if (!one) return notify('There is nothing to undo.');
    this.showLatest();
    if (one.state === 'held') {
      clearTimeout(one.timer);
      this.giveBack(one);
      focus(one.card);
    } else if (one.state === 'sending') {
      one.isUnwanted = true;
    } else {
      await this.undoDone(one);
    }
  }

  private async undoDone(one: Made): Promise<void> {
    if (!one.undo) return notify(`${nameOf(one)} can’t be taken back any more.`, 'error');
    try {
      const { notice } = await sendForm(one.undo);
      this.giveBack(one);
      focus(one.card);
      if (notice !== undefined) notify(notice);
    } catch (error) {
      if (!(error instanceof FormError)) throw error;
      notify(`${nameOf(one)} was not taken back. ${error.message}`, 'error');
      this.made.push(one);
      this.showLatest();
    }
  }

  private sendHeld(): void {
    for (const one of this.unsettled) if (one.state === 'held') void this.send(one);
  }

  /** The page goes, and no answer will be heard: a beacon is sent all the same. */
  private sendLast(): void {
    for (const one of this.unsettled) {
      if (one.state !== 'held') continue;
      clearTimeout(one.timer);
      one.state = 'sending';
      navigator.sendBeacon(one.form.action, fieldsOf(one.form, one.submitter));
    }
  }

  private async send(one: Made): Promise<void> {
    clearTimeout(one.timer);
    one.state = 'sending';
    try {
      const { html } = await sendForm(one.form, one.submitter);
      const undo = html === undefined ? null : elementOf(html);
      if (undo instanceof HTMLFormElement) one.undo = undo;
      one.state = 'done';
      one.doneAt = performance.now();
      this.unsettled.delete(one);
      if (one.isUnwanted) await this.undoDone(one);
      // Until now the queue still began with it.
      this.lookWhereFew();
    } catch (error) {
      if (!(error instanceof FormError)) throw error;
      this.fail(one, error);
    }
  }

  /** Back into the queue with the reason, unless it is gone from everywhere. */
  private fail(one: Made, error: FormError): void {
    const at = this.made.indexOf(one);
    if (at >= 0) this.made.splice(at, 1);
    this.showLatest();
    if (error.status === 404) {
      this.unsettled.delete(one);
      return notify(`${nameOf(one)} is gone meanwhile.`);
    }
    if ('revision' in error.errors) {
      // The card shows old content: the next refresh shows it as it is now.
      this.unsettled.delete(one);
      this.changed.set(one.card.id, error.message);
      notify(`${nameOf(one)}: ${error.message}`, 'error');
      return void this.look();
    }
    this.giveBack(one);
    const line = errorLine(`Not decided: ${error.message}`);
    if (error.logInPath !== undefined) line.append(' ', logInLink(error.logInPath, 'Log in (new tab)'));
    one.card.prepend(line);
    notify(`${nameOf(one)} is back in the queue: ${error.message}`, 'error');
  }

  private giveBack(one: Made): void {
    this.unsettled.delete(one);
    const place = one.next?.isConnected ? one.next : this.queue.firstElementChild;
    this.queue.insertBefore(one.card, place);
    this.count(1);
  }

  private lookWhereFew(): void {
    const here = this.cards().length;
    if (here <= FEW && here < this.total) void this.look();
  }

  /** Adds what waits and isn't on the desk. */
  private async look(): Promise<void> {
    if (this.isLooking) {
      this.looksAgain = true;
      return;
    }
    this.isLooking = true;
    this.looksAgain = false;
    const askedAt = performance.now();
    try {
      const answer = await fetch('/moderation', { headers: { Accept: 'text/html' } });
      if (answer.ok && !answer.redirected) this.add(parseMarkup(await answer.text()), askedAt);
    } catch {
      // The next look may fare better; what is on the desk stays.
    } finally {
      this.isLooking = false;
    }
    if (this.looksAgain) this.lookWhereFew();
  }

  private add(page: Document, askedAt: number): void {
    const known = new Set(this.cards().map(({ id }) => id));
    const leaving = new Set(
      [...this.made, ...this.unsettled].filter(({ doneAt }) => doneAt > askedAt).map(({ card }) => card.id),
    );
    const listed = [...page.querySelectorAll<HTMLElement>('.queue-card')];
    for (const card of listed) {
      if (known.has(card.id) || leaving.has(card.id)) continue;
      const reason = this.changed.get(card.id);
      if (reason === undefined) this.queue.append(document.adoptNode(card));
      else this.addChanged(document.adoptNode(card), reason);
    }
    // What is carried out by now, but not heard of yet, isn't listed, nor counted there.
    const total = Number(page.getElementById('queue-total')?.dataset['total']);
    this.total = total - listed.filter(({ id }) => leaving.has(id)).length;
    this.count(0);
  }

  /** Items that the moderator has just decided on come first, with the reason why they are shown again. */
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

  private showLatest(): void {
    const one = this.made.at(-1);
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

/** Says on a card why it is shown again; removed with the next decision. */
function errorLine(text: string): HTMLElement {
  const line = document.createElement('p');
  line.className = 'callout danger decision-error';
  line.dataset['error'] = '';
  line.textContent = text;
  return line;
}

const nameOf = ({ card }: Made): string => card.querySelector('h2 a')?.textContent ?? 'It';

function focus(card: HTMLElement): void {
  hidePreviews(card);
  card.focus({ preventScroll: true });
  card.scrollIntoView({ block: 'start' });
}

/** What one has looked at isn't to be seen by whoever looks over the shoulder next. */
function hidePreviews(except: HTMLElement | null): void {
  for (const preview of document.querySelectorAll<HTMLDetailsElement>('.preview[open]'))
    if (!except?.contains(preview)) preview.open = false;
}

function required(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (!element) throw new Error(`There is no #${id} on this page.`);
  return element;
}
