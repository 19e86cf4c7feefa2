import { store, readStored } from '../dom/browser-storage';
import type { Item, UploadedMedia } from './queue';
import type { Uploads } from './uploads';

const KEY = 'vitrine-upload';
const WAIT_MS = 500;

/** The state that is stored in this tab, so that a reload or a crash loses neither text nor uploads. */
interface Draft {
  /** The user and the post to which it belongs. */
  readonly of: string;
  readonly files: readonly (Pick<Item, 'key' | 'file'> & { readonly media: UploadedMedia })[];
  readonly fields: readonly (readonly [name: string, value: string])[];
}

/** Fields that a draft doesn't contain: those of the form itself, and the files, which are stored separately. */
const OWN_FIELDS = new Set(['_token', '_form', 'as', 'post', 'media']);

/** Restores this tab's draft if it belongs to the same page, and saves it after each change until `end` is called. */
export function enableDraft(uploads: Uploads, form: HTMLFormElement, of: string): { end(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let hasEnded = false;
  const save = (): void => {
    timer = undefined;
    if (hasEnded) return;
    const draft: Draft = { of, files: uploadedFiles(uploads), fields: fieldsOf(form) };
    store('sessionStorage', KEY, JSON.stringify(draft));
  };
  const saveSoon = (): void => {
    timer ??= setTimeout(save, WAIT_MS);
  };

  const draft = JSON.parse(readStored('sessionStorage', KEY) ?? 'null') as Draft | null;
  if (draft?.of === of) {
    fill(form, draft.fields);
    const items = draft.files.map((file) => ({ ...file, id: uploads.nextId() }));
    if (items.length > 0) uploads.dispatch({ type: 'restored', items });
  }
  uploads.onChange(saveSoon);
  form.addEventListener('input', saveSoon);
  addEventListener('pagehide', save);
  return {
    end: () => {
      hasEnded = true;
      store('sessionStorage', KEY, null);
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
