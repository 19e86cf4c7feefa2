import { freshNumber } from '../dom/forms';
import { isTextField } from '../dom/file-drops';
import { uploadedMediaOf } from './media-facts';
import { part } from './page-parts';
import { showUploadError, uploaderWith } from './sender';
import type { SiteRequests } from './site-requests';
import type { Uploads } from './uploads';

/** Lets the upload host fetch files from addresses that are typed into a form, or pasted on the page. */
export function enableAddresses(
  form: HTMLFormElement,
  uploadUrl: string,
  requests: SiteRequests,
  uploads: Uploads,
): void {
  const field = part(form, 'input[name=url]', HTMLInputElement);
  form.hidden = false;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (form.ariaBusy === 'true') return;
    form.ariaBusy = 'true';
    void fetchFile(field.value.trim())
      .then(() => form.reset())
      .catch((error: unknown) => showUploadError(form, error))
      .finally(() => (form.ariaBusy = null));
  });
  document.addEventListener('paste', ({ target, clipboardData }) => {
    const text = clipboardData?.getData('text/plain').trim() ?? '';
    if (isTextField(target) || !/^https?:\/\/\S+$/.test(text)) return;
    field.value = text;
    form.scrollIntoView({ block: 'center' });
    part(form, 'button', HTMLButtonElement).focus();
  });

  async function fetchFile(url: string): Promise<void> {
    const uploader = uploaderWith(uploadUrl, await requests.ticket());
    const key = freshNumber().replaceAll('-', '');
    const media = await uploader.uploadFromUrl(url, { idempotencyKey: key });
    const name = new URL(url).pathname.split('/').at(-1) || url;
    const file = { name, size: media.size, modified: 0 };
    uploads.dispatch({
      type: 'restored',
      items: [{ id: uploads.nextId(), key, file, media: uploadedMediaOf(media) }],
    });
  }
}
