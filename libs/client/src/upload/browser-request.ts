import type { Answer } from '../transport/vitrine-error';

/**
 * The part of XMLHttpRequest that an upload needs. It is declared here because the package is also compiled without
 * DOM types.
 */
export interface BrowserRequest {
  open(method: string, url: string): void;
  setRequestHeader(name: string, value: string): void;
  getResponseHeader(name: string): string | null;
  send(body: FormData): void;
  abort(): void;
  readonly status: number;
  readonly responseText: string;
  readonly upload: {
    onprogress: ((event: { loaded: number; total: number; lengthComputable: boolean }) => void) | null;
  };
  onload: (() => void) | null;
  onerror: (() => void) | null;
  onabort: (() => void) | null;
}

/** The platform's XMLHttpRequest; undefined in Node.js and in service workers. */
export function browserRequest(): (new () => BrowserRequest) | undefined {
  return (globalThis as { XMLHttpRequest?: new () => BrowserRequest }).XMLHttpRequest;
}

export interface FormOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: { sent: number; total: number | undefined }) => void) | undefined;
}

/** Sends a form by POST and reports progress. Rejects if there is no complete response. */
export function sendForm(
  request: BrowserRequest,
  url: string,
  form: FormData,
  headers: Readonly<Record<string, string>>,
  { signal, onProgress }: FormOptions,
): Promise<Answer> {
  return new Promise<Answer>((resolve, reject) => {
    const stop = (): void => request.abort();
    signal?.addEventListener('abort', stop, { once: true });
    const settled = (settle: () => void) => (): void => {
      signal?.removeEventListener('abort', stop);
      settle();
    };
    request.onload = settled(() =>
      resolve({
        status: request.status,
        header: (name) => request.getResponseHeader(name),
        text: request.responseText,
      }),
    );
    request.onerror = settled(() => reject(new Error('The connection failed.')));
    request.onabort = settled(() => reject(new Error('The request was aborted.')));
    request.upload.onprogress = ({ loaded, total, lengthComputable }) =>
      onProgress?.({ sent: loaded, total: lengthComputable ? total : undefined });
    request.open('POST', url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.send(form);
  });
}
