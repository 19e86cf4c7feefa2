import { enableReordering } from './dom/reordering';
import { Announcer } from './upload/announcer';
import { Bench } from './upload/bench';
import { Desk } from './upload/desk';
import { keepDraft } from './upload/draft';
import { takeFiles } from './upload/intake';
import { byId } from './upload/page-parts';
import { handlePosting } from './upload/posting';
import { Rows } from './upload/rows';
import { Sender } from './upload/sender';
import { Uploads } from './upload/uploads';
import { watchUploads } from './upload/watching';

const page = byId('upload', HTMLElement);
const { uploadUrl = '', as = '', post = '', room = '', maxFileBytes = '', maxFileSize = '' } = page.dataset;

const desk = new Desk(byId('ticket-form', HTMLFormElement), byId('discard-form', HTMLFormElement), as);
const sender = new Sender(uploadUrl, desk);
const uploads = new Uploads(
  { send: (sending) => sender.send(sending), discard: (slug) => desk.discard(slug) },
  navigator.onLine,
  { bytes: Number(maxFileBytes), words: maxFileSize },
);
const announcer = new Announcer(byId('upload-says', HTMLElement));
const list = byId('upload-list', HTMLElement);
const rows = new Rows(uploads, list, byId('upload-row', HTMLTemplateElement));
const bench = new Bench(uploads);
const postForm = byId('post-form', HTMLFormElement);

uploads.onChange((queue) => {
  rows.show(queue);
  bench.show(queue);
  announcer.follow(queue);
});
enableReordering({
  list,
  handle: '.upload-handle',
  moved: (row, to) => uploads.tell({ type: 'moved', id: Number(row.dataset['id']), to }),
  announce: (sentence) => announcer.say(sentence),
});
takeFiles(byId('upload-input', HTMLInputElement), (files) => {
  const doubles = uploads.add(files);
  if (doubles > 0) announcer.sayDoubles(doubles);
});
addEventListener('offline', () => uploads.tell({ type: 'offline' }));
addEventListener('online', () => uploads.tell({ type: 'online' }));
watchUploads(uploads, (slugs) => desk.examine(slugs));

const draft = keepDraft(uploads, postForm, `${as}/${post}`);
handlePosting({ uploads, form: postForm, room: Number(room), leave: () => draft.end() });
