import { inJavaScript, inPython, inShell } from './literals';
import type { Operation, Parameter } from './open-api';

export const LANGUAGES = [
  ['curl', 'curl'],
  ['javascript', 'JavaScript'],
  ['python', 'Python'],
] as const;

export type Language = (typeof LANGUAGES)[number][0];
export type Samples = Readonly<Record<Language, string>>;

/** Addresses of the two hosts, without a trailing slash. */
export interface Hosts {
  /** Ends in `/api/v1`. */
  readonly api: string;
  /** The upload endpoint; ends in `/api/v1/media`. */
  readonly upload: string;
}

/** The file name in the samples. */
const FILE = 'photo.jpg';
const LIST_LIMIT = 20;

/** Makes runnable samples of a request for an operation. They read secrets from the environment. */
export function samplesOf(operation: Operation, hosts: Hosts): Samples {
  const request = requestOf(operation, hosts);
  return { curl: curl(request), javascript: javaScript(request), python: python(request) };
}

interface SampleRequest {
  readonly method: string;
  readonly url: string;
  readonly secret: Operation['secret'];
  /** The JSON body; undefined if there is none. */
  readonly body: unknown;
  readonly sendsFile: boolean;
}

function requestOf(
  { method, path, parameters, body, secret, isOnUploadHost }: Operation,
  hosts: Hosts,
): SampleRequest {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(exampleOf(parameters.find((one) => one.in === 'path' && one.name === name)))),
  );
  const query = new URLSearchParams();
  for (const one of parameters) {
    if (one.in !== 'query') continue;
    if (one.name === 'limit') query.set('limit', String(LIST_LIMIT));
    else if (one.required) query.set(one.name, String(exampleOf(one)));
  }
  const search = query.size > 0 ? `?${query.toString()}` : '';
  const sendsFile = body?.type === 'multipart/form-data';
  return {
    method: method.toUpperCase(),
    url: (isOnUploadHost ? hosts.upload : hosts.api + filled) + search,
    secret,
    body: sendsFile ? undefined : body?.example,
    sendsFile,
  };
}

const exampleOf = (parameter: Parameter | undefined): unknown =>
  parameter?.example ?? parameter?.schema.example ?? parameter?.schema.enum?.[0] ?? 1;

function curl({ method, url, secret, body, sendsFile }: SampleRequest): string {
  const implied = body !== undefined || sendsFile ? 'POST' : 'GET';
  const parts = [
    ...(method === implied ? [] : [`-X ${method}`]),
    ...(secret === null ? [] : [`-H "Authorization: Bearer $${secret}"`]),
    ...(body === undefined
      ? []
      : ["-H 'Content-Type: application/json'", `-d ${inShell(JSON.stringify(body))}`]),
    ...(sendsFile ? [`-F file=@${FILE}`] : []),
    inShell(url),
  ];
  const line = ['curl', ...parts].join(' ');
  return line.length <= 72 ? line : ['curl', parts.join(' \\\n  ')].join(' ');
}

function javaScript({ method, url, secret, body, sendsFile }: SampleRequest): string {
  const headers = [
    ...(secret === null ? [] : [`Authorization: \`Bearer \${process.env.${secret}}\``]),
    ...(body === undefined ? [] : ["'Content-Type': 'application/json'"]),
  ];
  const options = [
    ...(method === 'GET' ? [] : [`method: '${method}'`]),
    ...(headers.length === 0
      ? []
      : [
          headers.length === 1
            ? `headers: { ${headers.join('')} }`
            : `headers: {\n    ${headers.join(',\n    ')},\n  }`,
        ]),
    ...(body === undefined ? [] : [`body: JSON.stringify(${inJavaScript(body, '  ')})`]),
    ...(sendsFile ? ['body: form'] : []),
  ];
  const call = options.length === 0 ? '' : `, {\n${options.map((option) => `  ${option},\n`).join('')}}`;
  return [
    ...(sendsFile
      ? [
          "import { openAsBlob } from 'node:fs';",
          '',
          'const form = new FormData();',
          `form.append('file', await openAsBlob('${FILE}'), '${FILE}');`,
        ]
      : []),
    `const response = await fetch(${inJavaScript(url)}${call});`,
    'if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);',
    'console.log(await response.json());',
  ].join('\n');
}

function python({ method, url, secret, body, sendsFile }: SampleRequest): string {
  const parts = [
    inPython(url),
    ...(secret === null ? [] : [`headers={"Authorization": f"Bearer {os.environ['${secret}']}"}`]),
    ...(body === undefined ? [] : [`json=${inPython(body, '    ')}`]),
    ...(sendsFile ? [`files={"file": open("${FILE}", "rb")}`] : []),
  ];
  const call = parts.length === 1 ? parts.join('') : `\n${parts.map((part) => `    ${part},\n`).join('')}`;
  return [
    ...(secret === null ? [] : ['import os']),
    'import requests',
    '',
    `response = requests.${method.toLowerCase()}(${call})`,
    'response.raise_for_status()',
    'print(response.json())',
  ].join('\n');
}
