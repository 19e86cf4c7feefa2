import { FormError, sendForm } from '../dom/forms';
import type { MediaFacts } from './media-facts';

/** A token to upload with, for a while. */
interface Ticket {
  readonly ticket: string;
  /** Milliseconds since 1970, by this computer's clock. */
  readonly goodUntil: number;
}

/** A ticket is changed for a new one this long before its end. */
const MARGIN_MS = 60_000;

/** What the page asks the site for: tickets, news of its files, and to delete what was taken off the page. */
export class Desk {
  private current: Promise<Ticket> | undefined;
  private discards: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly ticketForm: HTMLFormElement,
    private readonly discardForm: HTMLFormElement,
    /** Whose page it is: a username, or nothing for a guest. */
    private readonly person: string,
  ) {}

  /** A ticket that is good, the same for all files until it ends. Throws `FormError`. */
  async ticket(): Promise<string> {
    const known = await this.current?.catch(() => undefined);
    if (known && known.goodUntil > Date.now()) return known.ticket;
    // Of the files that wait here together the first asks, for all.
    if (known) this.forget(known.ticket);
    this.current ??= this.ask();
    const asked = this.current;
    try {
      return (await asked).ticket;
    } catch (error) {
      if (this.current === asked) this.current = undefined;
      throw error;
    }
  }

  /** The upload host has refused this ticket. */
  forget(ticket: string): void {
    const { current } = this;
    void current?.then(
      (known) => known.ticket === ticket && this.current === current && (this.current = undefined),
      () => undefined,
    );
  }

  /** What has become of the files. Throws where there is no answer. */
  async examine(slugs: readonly string[]): Promise<readonly MediaFacts[]> {
    const query = new URLSearchParams({ as: this.person, slugs: slugs.join(',') });
    const response = await fetch(`/upload/state?${query.toString()}`, {
      headers: { Accept: 'application/json' },
    });
    if (!response.ok) throw new FormError('There is no news of the files.', response.status);
    return ((await response.json()) as { media: readonly MediaFacts[] }).media;
  }

  /** Deletes an upload that nobody wants; one after the other, since they share a form. */
  discard(slug: string): void {
    this.discards = this.discards
      .then(() => {
        const field = this.discardForm.elements.namedItem('slug');
        if (field instanceof HTMLInputElement) field.value = slug;
        return sendForm(this.discardForm);
      })
      // It stays among the visitor's own media, where it can be deleted any time.
      .catch(() => undefined);
  }

  private ask(): Promise<Ticket> {
    const ask = async (): Promise<Ticket> => {
      const answer = await sendForm(this.ticketForm);
      const { ticket, expires_in: seconds } = answer;
      return { ticket: String(ticket), goodUntil: Date.now() + Number(seconds) * 1000 - MARGIN_MS };
    };
    // Two pages of a new guest would become two guests, of whom the browser remembers one. Only HTTPS pages have locks.
    const { locks } = navigator as { locks?: LockManager };
    return locks ? locks.request('vitrine-ticket', ask) : ask();
  }
}
