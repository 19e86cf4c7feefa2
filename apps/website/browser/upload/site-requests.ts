import { type FormAnswer, FormError, sendForm } from '../dom/forms';
import type { MediaFacts } from './media-facts';
import type { StorageLeft, StorageUse } from './storage-left';

/** A token for uploads with a limited lifetime. */
interface Ticket {
  readonly ticket: string;
  /** Milliseconds since 1970, by the visitor's clock. */
  readonly goodUntil: number;
}

/** A ticket is replaced this long before it expires. */
const MARGIN_MS = 60_000;

/** The page's requests to the site: tickets, the state of files, and deleting removed files. */
export class SiteRequests {
  private current: Promise<Ticket> | undefined;
  private discards: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly ticketForm: HTMLFormElement,
    private readonly discardForm: HTMLFormElement,
    /** The visitor to whom the page was shown: a username, or empty for a guest. */
    private readonly formOwner: string,
    private readonly storageLeft: StorageLeft,
  ) {}

  /** A valid ticket; all files share it until it expires. Throws `FormError`. */
  async ticket(): Promise<string> {
    const known = await this.current?.catch(() => undefined);
    if (known && known.goodUntil > Date.now()) return known.ticket;
    // The first of the waiting files requests a new ticket for all.
    if (known) this.forgetTicket(known.ticket);
    this.current ??= this.requestTicket();
    const asked = this.current;
    try {
      return (await asked).ticket;
    } catch (error) {
      if (this.current === asked) this.current = undefined;
      throw error;
    }
  }

  /** Drops a ticket that the upload host has refused. */
  forgetTicket(ticket: string): void {
    const { current } = this;
    void current?.then(
      (known) => known.ticket === ticket && this.current === current && (this.current = undefined),
      () => undefined,
    );
  }

  /** Loads the state of files. Throws if there is no response. */
  async fetchStates(slugs: readonly string[]): Promise<readonly MediaFacts[]> {
    const query = new URLSearchParams({ as: this.formOwner, slugs: slugs.join(',') });
    const response = await fetch(`/upload/state?${query.toString()}`, {
      headers: { Accept: 'application/json' },
    });
    if (!response.ok) throw new FormError('The state of the files could not be loaded.', response.status);
    return ((await response.json()) as { media: readonly MediaFacts[] }).media;
  }

  /** Deletes an upload that was removed from the page. Requests run one after the other, because they share a form. */
  discard(slug: string): void {
    this.storageLeft.forget(slug);
    this.discards = this.discards
      .then(() => {
        const field = this.discardForm.elements.namedItem('slug');
        if (field instanceof HTMLInputElement) field.value = slug;
        return sendForm(this.discardForm);
      })
      // The file stays in the visitor's media, where they can delete it.
      .catch(() => undefined);
  }

  /** Sends the form; if the site wants a proof of work for a new guest, once again with one. */
  private async sendTicketForm(): Promise<FormAnswer> {
    try {
      return await sendForm(this.ticketForm);
    } catch (error) {
      if (!(error instanceof FormError) || !error.errors['proof_of_work']) throw error;
      const { proofOfWork } = await import('../dom/proof-of-work');
      const proof = await proofOfWork('guest').catch((reason: Error) => {
        throw new FormError(reason.message, 0);
      });
      return sendForm(this.ticketForm, null, { proof_of_work: proof });
    }
  }

  private requestTicket(): Promise<Ticket> {
    const ask = async (): Promise<Ticket> => {
      const answer = await this.sendTicketForm();
      const { ticket, expires_in: seconds, storage } = answer;
      this.storageLeft.learn(storage as StorageUse | undefined);
      return { ticket: String(ticket), goodUntil: Date.now() + Number(seconds) * 1000 - MARGIN_MS };
    };
    // Without the lock, two open pages would create two guests, of whom the browser would keep only one. Only HTTPS
    // pages have locks.
    const { locks } = navigator as { locks?: LockManager };
    return locks ? locks.request('vitrine-ticket', ask) : ask();
  }
}
