import type { IncomingMessage } from 'node:http';

interface Statement {
  readonly Effect: 'Allow' | 'Deny';
  readonly Principal: { readonly AWS: string };
  readonly Action: readonly string[];
  readonly Resource: readonly string[];
}

const WORDS = ['Action', 'Effect', 'Principal', 'Resource'];

/** A bucket's policy with Amazon's rules. It rejects statements that it doesn't support. */
export class EnforcedPolicy {
  private readonly statements: readonly Statement[];

  constructor(text: string) {
    this.statements = (JSON.parse(text) as { readonly Statement: readonly Statement[] }).Statement;
    for (const statement of this.statements) {
      const words = Object.keys(statement).sort().join();
      if (words !== WORDS.join() || !['Allow', 'Deny'].includes(statement.Effect)) {
        throw new Error(`A statement is not understood: ${JSON.stringify(statement)}`);
      }
    }
  }

  /** Whether `principal` may do `action` with `resource`, such as `bucket/key`. A denying statement takes precedence. */
  allows(principal: string, action: string, resource: string): boolean {
    const effects = this.statements
      .filter(({ Principal, Action }) => Principal.AWS === principal && Action.includes(action))
      .filter(({ Resource }) => Resource.some((each) => matches(each, `arn:aws:s3:::${resource}`)))
      .map(({ Effect }) => Effect);
    return effects.includes('Allow') && !effects.includes('Deny');
  }

  /** Whether `principal` may send an S3 request to a bucket whose name is in the path. */
  allowsRequest(principal: string, { method = '', url = '' }: IncomingMessage): boolean {
    // `URL` would resolve the dots in a path.
    const [path = '', search = ''] = url.split('?');
    const query = new URLSearchParams(search);
    const resource = decodeURIComponent(path.slice(1));
    const action = /^[^/]+\/?$/.test(resource) ? ofBucket(method, query) : ofObject(method, query);
    return action !== undefined && this.allows(principal, action, resource.replace(/\/$/, ''));
  }
}

/** `POST ?delete` is checked against the bucket, as some stores do, and so it needs a right to all of it. */
function ofBucket(method: string, query: URLSearchParams): string | undefined {
  if (method === 'GET') return query.has('uploads') ? 's3:ListBucketMultipartUploads' : 's3:ListBucket';
  if (method === 'PUT' && query.has('policy')) return 's3:PutBucketPolicy';
  return method === 'POST' && query.has('delete') ? 's3:DeleteObject' : undefined;
}

function ofObject(method: string, query: URLSearchParams): string | undefined {
  const deletion = query.has('uploadId') ? 's3:AbortMultipartUpload' : 's3:DeleteObject';
  return {
    GET: 's3:GetObject',
    HEAD: 's3:GetObject',
    PUT: 's3:PutObject',
    POST: 's3:PutObject',
    DELETE: deletion,
  }[method];
}

/** In a resource `*` matches any text; the policies that we use contain no other wildcard. */
function matches(pattern: string, text: string): boolean {
  const words = pattern.split('*').map((word) => word.replace(/[.?+^$()[\]{}|\\]/g, '\\$&'));
  return new RegExp(`^${words.join('.*')}$`, 's').test(text);
}
