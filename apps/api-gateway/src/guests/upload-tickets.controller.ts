import { Body, Controller, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { UploadTicketRequest, UploadTicketResource } from '@vitrine/contracts/api';
import { GuestsService, type UploadTicket } from '@vitrine/domain';
import { presentStorageUse } from '../quotas/quota.presenter';
import { API_PREFIX, Authenticated, CurrentAccess, IdempotentPost, type RequestAccess } from '@vitrine/http';
import { PublicUrlsConfig } from '@vitrine/runtime';
import type { Response } from 'express';
import { Answers } from '../openapi/answers';

@ApiTags('guests')
@Controller(`${API_PREFIX}/upload-tickets`)
export class UploadTicketsController {
  constructor(
    private readonly guests: GuestsService,
    private readonly urls: PublicUrlsConfig,
  ) {}

  @IdempotentPost()
  @Authenticated({ session: true, guest: 'too', visitors: true })
  @ApiOperation({
    operationId: 'createUploadTicket',
    summary: 'Create an upload ticket',
    description:
      'A ticket is a token that is valid for one hour and only allows uploads, so a web page may hold it. Files uploaded with it belong to the account or the guest that requested it. A visitor without a token becomes a guest, and the response carries the guest’s own token too. A guest that owns nothing a day later is deleted. If the site does not accept uploads of guests (`GET /site`), visitors get 401 and guests 403. `Location` is the upload address.',
  })
  @Answers(201, UploadTicketResource, 'The ticket is created. Its secrets are shown only in this response.')
  async create(
    @CurrentAccess() { caller, clientKey }: RequestAccess,
    @Body() { proof_of_work: proof = null }: UploadTicketRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<UploadTicketResource> {
    response.set('Location', this.urls.upload);
    if (caller) return present(await this.guests.createTicket(caller));
    const { ticket, secret } = await this.guests.welcome(clientKey, proof);
    return { ...present(ticket), guest_token: secret };
  }
}

const present = ({ secret, expiresAt, storage }: UploadTicket): UploadTicketResource => ({
  message: 'Ticket created.',
  ticket: secret,
  expires_at: expiresAt.toISOString(),
  storage: presentStorageUse(storage),
});
