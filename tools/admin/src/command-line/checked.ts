import { readRequest } from '@vitrine/contracts/api';
import { InvalidFieldsError } from '@vitrine/domain';

/** Applies the API's rules to the operator's values. Throws `InvalidFieldsError`. */
export function checked<Request extends object>(type: new () => Request, fields: object): Request {
  const { request, errors } = readRequest(type, fields);
  if (errors) throw new InvalidFieldsError(errors);
  return request;
}
