import { enableReordering } from './dom/reordering';
import { enableSharing } from './sharing/sharing';
import { Announcer } from './upload/announcer';
import { Overview } from './upload/overview';
import { SiteRequests } from './upload/site-requests';
import { Descriptions } from './upload/descriptions';
import { enableDraft } from './upload/draft';
import { enableFileChoice } from './upload/file-choice';
import { byId } from './upload/page-parts';
import { handlePosting } from './upload/posting';
import { Rows } from './upload/rows';
import { Sender } from './upload/sender';
import { StorageLeft } from './upload/storage-left';
import { Uploads } from './upload/uploads';
import { pollUploadStates } from './upload/state-polling';

const page = byId('upload', HTMLElement);
const {
  uploadUrl = '',
  as = '',
  post = '',
  room = '',
  maxFileBytes = '',
  maxFileSize = '',
  shareWorker = '',
} = page.dataset;

const storageLeft = new StorageLeft();
const requests = new SiteRequests(
  byId('ticket-form', HTMLFormElement),
  byId('discard-form', HTMLFormElement),
  as,
  storageLeft,
);
const sender = new Sender(uploadUrl, requests, storageLeft);
const uploads = new Uploads(
  { send: (sending) => sender.send(sending), discard: (slug) => requests.discard(slug) },
  navigator.onLine,
  { bytes: Number(maxFileBytes), words: maxFileSize },
);
const announcer = new Announcer(byId('upload-says', HTMLElement));
const list = byId('upload-list', HTMLElement);
const descriptions = new Descriptions(uploads, byId('describe-form', HTMLFormElement));
const rows = new Rows(uploads, descriptions, list, byId('upload-row', HTMLTemplateElement));
const overview = new Overview(uploads);
const postForm = byId('post-form', HTMLFormElement);

uploads.onChange((queue) => {
  rows.show(queue);
  overview.show(queue);
  announcer.update(queue);
});
enableReordering({
  list,
  handle: '.upload-handle',
  moved: (row, to) => uploads.dispatch({ type: 'moved', id: Number(row.dataset['id']), to }),
  announce: (sentence) => announcer.say(sentence),
});
const add = (files: readonly File[]): void => {
  const doubles = uploads.add(files);
  if (doubles > 0) announcer.sayDuplicates(doubles);
};
const addressForm = document.querySelector<HTMLFormElement>('#address-form');
if (addressForm) {
  void import('./upload/addresses').then(({ enableAddresses }) =>
    enableAddresses(addressForm, uploadUrl, requests, uploads),
  );
}
void enableSharing(shareWorker, byId('upload-shared', HTMLElement), add);
addEventListener('offline', () => uploads.dispatch({ type: 'offline' }));
addEventListener('online', () => uploads.dispatch({ type: 'online' }));
pollUploadStates(uploads, (slugs) => requests.fetchStates(slugs));

const draft = enableDraft(uploads, postForm, `${as}/${post}`);
handlePosting({
  uploads,
  form: postForm,
  room: Number(room),
  leave: async () => {
    await descriptions.save();
    descriptions.end();
    draft.end();
  },
});
enableFileChoice(byId('upload-input', HTMLInputElement), add);
