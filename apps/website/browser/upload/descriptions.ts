import { FormError, sendForm } from '../dom/forms';
import { readStored, store } from '../dom/browser-storage';
import { showNotice } from '../dom/notices';
import type { Uploads } from './uploads';

const KEY = 'vitrine-descriptions';

/** The texts of a file, as the fields of its row have them. */
export interface Texts {
  readonly description: string;
  readonly alt_text: string;
}

/** What visitors write about single files. The site gets it as soon as the file is stored; this tab keeps it until then. */
export class Descriptions {
  /** By the idempotency key of the file, which a draft keeps too. */
  private readonly texts: Map<string, Texts>;
  private readonly saved = new Map<string, Texts>();
  private saving: Promise<void> | undefined;

  constructor(
    private readonly uploads: Uploads,
    private readonly form: HTMLFormElement,
  ) {
    this.texts = new Map(JSON.parse(readStored('sessionStorage', KEY) ?? '[]') as [string, Texts][]);
    uploads.onChange(() => void this.save());
  }

  of(key: string): Texts {
    return this.texts.get(key) ?? { description: '', alt_text: '' };
  }

  set(key: string, texts: Texts): void {
    this.texts.set(key, texts);
    store('sessionStorage', KEY, JSON.stringify([...this.texts]));
  }

  /** Removes the texts from this tab. */
  end(): void {
    this.texts.clear();
    store('sessionStorage', KEY, null);
  }

  /** Sends the texts of stored files that the site doesn't have, one request after the other. */
  save(): Promise<void> {
    this.saving ??= this.saveAll().finally(() => (this.saving = undefined));
    return this.saving;
  }

  private async saveAll(): Promise<void> {
    for (let next = this.nextUnsaved(); next; next = this.nextUnsaved()) {
      const { key, slug, texts } = next;
      this.saved.set(key, texts);
      try {
        await sendForm(this.form, null, { slug, ...texts });
      } catch (error) {
        if (!(error instanceof FormError)) throw error;
        showNotice(`A description was not saved: ${error.message}`, 'error');
      }
    }
  }

  private nextUnsaved(): { key: string; slug: string; texts: Texts } | undefined {
    for (const { key, stage } of this.uploads.now.items) {
      const texts = this.texts.get(key);
      if (stage.name === 'uploaded' && texts && this.saved.get(key) !== texts)
        return { key, slug: stage.media.slug, texts };
    }
    return undefined;
  }
}
