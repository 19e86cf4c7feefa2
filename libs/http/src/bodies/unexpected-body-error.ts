import { HttpException } from '@nestjs/common';

const JSON_OR_FORM =
  'Expected a JSON object, or a form (application/x-www-form-urlencoded, or multipart/form-data without files) with at most 200 fields.';

/** A body of a kind that the route doesn't read; the answer says what it expects. */
export class UnexpectedBodyError extends HttpException {
  /** `expected` is a sentence. */
  constructor(expected = JSON_OR_FORM, status: 400 | 415 = 400) {
    super(`The request body could not be read. ${expected}`, status);
  }
}
