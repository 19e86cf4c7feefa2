import { keep, recall } from '../dom/memory';
import type { Item, UploadedMedia } from './queue';
import type { Uploads } from './uploads';

const KEY = 'vitrine-upload';
const WAIT_MS = 500;

/** What is kept of the page in this tab, so that a reload or a crash loses neither text nor uploads. */
interface Draft {
  /** Whose, and for which post. */
  readonly of: string;
  readonly files: readonly (Pick<Item, 'key' | 'file'> & { readonly media: UploadedMedia })[];
  readonly fields: readonly (readonly [name: string, value: string])[];
}

/** What a draft doesn't hold: the form's own, and the files, which are kept apart. */
const OWN_FIELDS = new Set(['_token', '_form', 'as', 'post', 'media']);

/** Brings back the draft of this tab where it is of the same page, and keeps it from here on until `end`. */
export function keepDraft(uploads: Uploads, form: HTMLFormElement, of: string): { end(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let hasEnded = false;
  const save = (): void => {
    timer = undefined;
    if (hasEnded) return;
    const draft: Draft = { of, files: uploadedFiles(uploads), fields: fieldsOf(form) };
    keep('sessionStorage', KEY, JSON.stringify(draft));
  };
  const saveSoon = (): void => {
    timer ??= setTimeout(save, WAIT_MS);
  };

  const draft = JSON.parse(recall('sessionStorage', KEY) ?? 'null') as Draft | null;
  if (draft?.of === of) {
    fill(form, draft.fields);
    const items = draft.files.map((file) => ({ ...file, id: uploads.nextId() }));
    if (items.length > 0) uploads.tell({ type: 'restored', items });
  }
  uploads.onChange(saveSoon);
  form.addEventListener('input', saveSoon);
  addEventListener('pagehide', save);
  return {
    end: () => {
      hasEnded = true;
      keep('sessionStorage', KEY, null);
    },
  };
}

const uploadedFiles = (uploads: Uploads): Draft['files'] =>
  uploads.now.items.flatMap(({ key, file, stage }) =>
    stage.name === 'uploaded' ? [{ key, file, media: stage.media }] : [],
  );

const fieldsOf = (form: HTMLFormElement): Draft['fields'] =>
  [...new FormData(form)].flatMap(([name, value]) =>
    OWN_FIELDS.has(name) || typeof value !== 'string' ? [] : [[name, value] as const],
  );

function fill(form: HTMLFormElement, fields: Draft['fields']): void {
  for (const [name, value] of fields) {
    const field = form.elements.namedItem(name);
    if (field instanceof HTMLInputElement && field.type === 'checkbox') field.checked = true;
    else if (field instanceof RadioNodeList || field instanceof HTMLInputElement) field.value = value;
    else if (field instanceof HTMLTextAreaElement) field.value = value;
  }
}
