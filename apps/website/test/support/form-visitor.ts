import { parse } from 'node:querystring';
import type { Person } from '@vitrine/testing';

/** A response of the site, with its page as text. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** Target path of a redirect; null if there is none. */
  readonly location: string | null;
  readonly html: string;
}

type Fields = Readonly<Record<string, string | readonly string[]>>;

/** A minimal browser without scripts: it stores cookies and fills in the forms of its current page. */
export class FormVisitor {
  readonly cookies = new Map<string, string>();
  /** All `Set-Cookie` lines that were received, newest last. */
  readonly setCookies: string[] = [];
  private page = '';

  constructor(
    private readonly site: string,
    private readonly headers: Readonly<Record<string, string>> = {},
  ) {}

  /** Uses the session of a person from now on. Without a person, nothing changes. */
  logIn(person: Pick<Person, 'session'> | null | undefined): this {
    if (person) this.cookies.set('vitrine_session', person.session);
    return this;
  }

  /** Opens a page, which becomes the current page. */
  async open(path: string, headers: Record<string, string> = {}): Promise<Answer> {
    const answer = await this.send(path, { headers });
    this.page = answer.html;
    return answer;
  }

  /**
   * Fills in and sends the form of the current page with this `action`. Other fields keep their values. If the response
   * is a page, it becomes the current page. Throws if there is no such form.
   */
  async submit(action: string, fields: Fields = {}, headers: Record<string, string> = {}): Promise<Answer> {
    const form = formsOf(this.page).find((one) => one.action.split('?')[0] === action);
    if (!form) throw new Error(`The page has no form that goes to ${action}:\n${this.page}`);
    const answer = await this.post(form.action, { ...form.fields, ...fields }, headers);
    if (answer.html !== '' && answer.location === null) this.page = answer.html;
    return answer;
  }

  /** Sends fields without using the current page. */
  post(path: string, fields: Fields, headers: Record<string, string> = {}): Promise<Answer> {
    const body = new URLSearchParams(
      Object.entries(fields).flatMap(([name, value]) => [value].flat().map((text) => [name, String(text)])),
    );
    return this.send(path, {
      method: 'POST',
      body,
      headers: { Origin: this.site, 'Sec-Fetch-Site': 'same-origin', ...headers },
    });
  }

  /** The fields of the current page's form with this `action`. Throws if there is none. */
  fieldsOf(action: string): Record<string, string | string[]> {
    const form = formsOf(this.page).find((one) => one.action.split('?')[0] === action);
    if (!form) throw new Error(`The page has no form that goes to ${action}`);
    return { ...form.fields };
  }

  private async send(path: string, init: RequestInit & { headers: Record<string, string> }): Promise<Answer> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(this.site + path, {
      redirect: 'manual',
      ...init,
      headers: { ...this.headers, ...(cookie !== '' && { Cookie: cookie }), ...init.headers },
    });
    for (const line of response.headers.getSetCookie()) {
      this.setCookies.push(line);
      const [pair = ''] = line.split(';');
      const [name = '', value = ''] = pair.split('=');
      if (value === '') this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    const html = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      location: response.headers.get('Location'),
      html,
    };
  }
}

interface Form {
  readonly action: string;
  readonly fields: Record<string, string | string[]>;
}

/** The forms of a page with their initial values. */
function formsOf(html: string): Form[] {
  return [...html.matchAll(/<form\b([^>]*)>(.*?)<\/form>/gs)].map(([, tag = '', inside = '']) => {
    const chosen = [...inside.matchAll(/<select\b([^>]*)>(.*?)<\/select>/gs)].map(
      ([, select = '', options = '']) => {
        const all = [...options.matchAll(/<option\b([^>]*)>/g)].map(([, option = '']) =>
          attributesOf(option),
        );
        const option = all.find(({ selected }) => selected !== undefined) ?? all[0];
        return [attributesOf(select)['name'] ?? '', option?.['value'] ?? ''] as const;
      },
    );
    const pairs = [...inside.matchAll(/<input\b([^>]*)>|<textarea\b([^>]*)>(.*?)<\/textarea>/gs)].flatMap(
      ([, input, textarea, text = '']) => {
        const attributes = attributesOf(input ?? textarea ?? '');
        const { name } = attributes;
        if (name === undefined) return [];
        if (textarea !== undefined)
          return [[name, lineBreaks(unescape(text.replace(/^\r?\n/, '')))] as const];
        if (/^(?:checkbox|radio)$/.test(attributes['type'] ?? '') && attributes['checked'] === undefined)
          return [];
        return [[name, attributes['value'] ?? ''] as const];
      },
    );
    const query = [...pairs, ...chosen].map((pair) => pair.map(encodeURIComponent).join('=')).join('&');
    return { action: attributesOf(tag)['action'] ?? '', fields: { ...parse(query) } as Form['fields'] };
  });
}

function attributesOf(tag: string): Record<string, string> {
  return Object.fromEntries(
    [...tag.matchAll(/([\w-]+)(?:="([^"]*)")?/g)].map(([, name = '', value = '']) => [name, unescape(value)]),
  );
}

/** As browsers send them. */
const lineBreaks = (text: string): string => text.replace(/\r\n?|\n/g, '\r\n');

const unescape = (text: string): string =>
  text.replace(
    /&(lt|gt|quot|amp|#39);/g,
    (_, name: string) => ({ lt: '<', gt: '>', quot: '"', amp: '&' })[name] ?? "'",
  );
