import { editPicture } from './cropping/edit-picture';
import { takeChosenFiles } from './dom/chosen-files';
import { freshNumber, sendForm, setField } from './dom/forms';
import { byId, part } from './upload/page-parts';
import { showUploadError, uploaderWith } from './upload/sender';

const form = byId('avatar-form', HTMLFormElement);
const input = part(form, 'input[type=file]', HTMLInputElement);
const state = part(form, '[role=status]', HTMLElement);

let earlier = Promise.resolve();
takeChosenFiles(input, ([file]) => {
  // The dialog of an earlier file ends a moment after it has closed.
  if (file) earlier = earlier.then(() => change(file));
});

/** Makes the picture the profile picture, and shows what fails. */
async function change(file: File): Promise<void> {
  form.ariaBusy = 'true';
  await cropAndUpload(file)
    .catch((error: unknown) => showUploadError(form, error))
    .finally(() => (form.ariaBusy = state.textContent = null));
}

/** Lets the visitor crop the picture, uploads it, and saves it. Throws as `showUploadError` takes. */
async function cropAndUpload(file: File): Promise<void> {
  for (const line of form.querySelectorAll('[data-error]')) line.remove();
  const picture = await editPicture(file, { title: 'Your profile picture', squareEdge: 1024 });
  if (!picture) return;
  state.textContent = 'Uploading …';
  const { ticket } = await sendForm(byId('ticket-form', HTMLFormElement));
  const uploader = uploaderWith(form.dataset['uploadUrl'] ?? '', String(ticket));
  const { slug } = await uploader.upload(picture, { idempotencyKey: freshNumber().replaceAll('-', '') });
  setField(form, 'avatar', slug);
  form.submit();
}
