import { keepShared, SHARE_PATH } from './sharing/shared-files';

/** https://w3c.github.io/ServiceWorker/#fetchevent-interface */
interface FetchEvent extends Event {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
}

// The service worker for the phone's share sheet: it keeps the files and opens the upload page, which
// offers them to the visitor.
addEventListener('fetch', (event) => {
  const { request, respondWith } = event as FetchEvent;
  if (request.method !== 'POST' || new URL(request.url).pathname !== SHARE_PATH) return;
  respondWith.call(event, receive(request));
});

async function receive(request: Request): Promise<Response> {
  try {
    const form = await request.formData();
    await keepShared(form.getAll('file').filter((part) => part instanceof File));
    return Response.redirect('/upload', 303);
  } catch {
    return Response.redirect('/upload?shared=failed', 303);
  }
}
