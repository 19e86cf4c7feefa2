import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import {
  type ApiHost,
  type DocumentedOperation,
  documentedOperations,
  type OpenApiDocument,
  readOpenApi,
} from './openapi-document';

/** A response as a client received it. */
export interface ObservedResponse {
  readonly host: ApiHost;
  readonly method: string;
  /** Relative to the base address; a query is ignored. */
  readonly path: string;
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  /** The parsed body; undefined if there is none. */
  readonly body: unknown;
}

interface DocumentedResponse {
  readonly headers?: Readonly<Record<string, { $ref?: string; required?: boolean }>>;
  readonly content?: Readonly<Record<string, unknown>>;
}

/**
 * Checks responses against docs/openapi.json: status, headers, body. It is stricter than a client should be: a property
 * that the document doesn't declare is an error.
 */
export class OpenApiCheck {
  private readonly ajv = new Ajv2020({ strict: false, allErrors: true });
  private readonly operations: readonly (DocumentedOperation & { readonly template: RegExp })[];
  private readonly validators = new Map<string, ValidateFunction>();

  constructor(private readonly document: OpenApiDocument = readOpenApi()) {
    addFormats(this.ajv);
    this.ajv.addSchema(closed(document) as object, 'openapi');
    // Literal paths take precedence over paths with a parameter in the same place.
    this.operations = documentedOperations(document)
      .sort((a, b) => parametersIn(a.path) - parametersIn(b.path))
      .map((operation) => ({ ...operation, template: templateOf(operation.path) }));
  }

  /** The check against docs/openapi.json. A worker compiles the schemas once, for all its test files. */
  static shared(): OpenApiCheck {
    return (OpenApiCheck.own ??= new OpenApiCheck());
  }

  private static own: OpenApiCheck | undefined;

  /** Throws an `Error` that lists how the response differs from the document. */
  assert(observed: ObservedResponse): void {
    const problems = this.problemsOf(observed);
    if (problems.length === 0) return;
    const { method, path, status, body } = observed;
    throw new Error(
      `${method} ${path} answered ${status} other than docs/openapi.json says (npm run openapi?):\n` +
        `${problems.map((problem) => `  ${problem}`).join('\n')}\n${JSON.stringify(body)?.slice(0, 2000)}`,
    );
  }

  /** The differences between the response and the document; empty if there are none. */
  problemsOf(observed: ObservedResponse): string[] {
    const { method, status } = observed;
    if (method === 'OPTIONS') return [];
    const found = this.find(observed);
    if (!found) {
      return status < 400
        ? ['no such operation']
        : this.bodyProblems(observed, '#/components/schemas/' + (status === 422 ? 'InvalidFields' : 'Error'));
    }
    const at = `#/paths/${escape(found.path)}/${found.method.toLowerCase()}/responses/${status}`;
    const response = this.resolve<DocumentedResponse>(at);
    if (!response) return [`status ${status} isn’t declared`];
    return [...this.headerProblems(observed, response.value), ...this.contentProblems(observed, response)];
  }

  /** Throws an `Error` that says how the body of a webhook's request differs from the document. */
  assertWebhook(body: unknown): void {
    const { type } = body as { readonly type: string };
    const pointer = `#/webhooks/${type}/post/requestBody/content/application~1json/schema`;
    const problems = this.bodyProblems({ body, method: 'POST' }, pointer);
    if (problems.length > 0)
      throw new Error([`The webhook ${type} sent`, JSON.stringify(body), ...problems].join('\n'));
  }

  private find({ host, method, path }: ObservedResponse): DocumentedOperation | undefined {
    // A path may end with one slash.
    const bare = (path.split('?')[0] ?? '').replace(/(?<=[^/])\/$/, '');
    return this.operations.find(
      (candidate) =>
        candidate.host === host &&
        (candidate.method === method || (method === 'HEAD' && candidate.method === 'GET')) &&
        candidate.template.test(bare),
    );
  }

  private headerProblems({ headers }: ObservedResponse, response: DocumentedResponse): string[] {
    return Object.entries(response.headers ?? {}).flatMap(([name, header]) => {
      const { required, schema } = (
        header.$ref === undefined ? header : this.resolve(header.$ref)?.value
      ) as { required?: boolean; schema?: { type?: string } };
      const value = headers.get(name);
      if (value === null) return required ? [`lacks the header ${name}`] : [];
      return schema?.type === 'integer' && !/^\d+$/.test(value) ? [`${name}: ${value} isn’t a number`] : [];
    });
  }

  private contentProblems(
    observed: ObservedResponse,
    { pointer, value }: { pointer: string; value: DocumentedResponse },
  ): string[] {
    if (observed.method === 'HEAD') return [];
    if (!value.content) return observed.body === undefined ? [] : ['has a body and should have none'];
    const type = (observed.headers.get('Content-Type') ?? '').split(';')[0] ?? '';
    if (!(type in value.content)) return [`has the undeclared content type ${type || '(none)'}`];
    return this.bodyProblems(observed, `${pointer}/content/${escape(type)}/schema`);
  }

  private bodyProblems(
    { body, method }: Pick<ObservedResponse, 'body' | 'method'>,
    pointer: string,
  ): string[] {
    if (method === 'HEAD') return [];
    let validate = this.validators.get(pointer);
    if (!validate) {
      validate = this.ajv.compile({ $ref: `openapi${pointer}` });
      this.validators.set(pointer, validate);
    }
    return validate(body) ? [] : (validate.errors ?? []).map(sentence);
  }

  /** The value that a JSON pointer names, with references resolved, and its final pointer. */
  private resolve<T>(pointer: string): { pointer: string; value: T } | undefined {
    const keys = pointer.replace(/^#\//, '').split('/').map(unescape);
    const value = keys.reduce<unknown>(
      (node, key) => (node as Record<string, unknown> | undefined)?.[key],
      this.document,
    ) as (T & { $ref?: string }) | undefined;
    if (value === undefined) return undefined;
    return value.$ref === undefined ? { pointer, value } : this.resolve(value.$ref);
  }
}

const parametersIn = (path: string): number => path.split('{').length;

const templateOf = (path: string): RegExp =>
  new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]+')}$`);

const escape = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');
const unescape = (key: string): string => key.replaceAll('~1', '/').replaceAll('~0', '~');

const sentence = ({ instancePath, message, params }: ErrorObject): string =>
  `${instancePath || '(body)'} ${message} ${JSON.stringify(params)}`;

/** The same document with objects that allow no undeclared property. */
function closed(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(closed);
  if (typeof node !== 'object' || node === null) return node;
  const copy = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, closed(value)]));
  const isClosable = copy['type'] === 'object' && 'properties' in copy && !('additionalProperties' in copy);
  return isClosable ? { ...copy, additionalProperties: false } : copy;
}
