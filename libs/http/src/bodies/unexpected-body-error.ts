import { BadRequestException } from '@nestjs/common';

/** A body that is neither JSON nor a form that the service reads; the answer says what it expects. */
export class UnexpectedBodyError extends BadRequestException {
  constructor() {
    super(
      'The request body could not be read. Expected a JSON object, or a form (application/x-www-form-urlencoded, or multipart/form-data without files) with at most 200 fields.',
    );
  }
}
