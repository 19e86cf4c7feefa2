import { Controller, Post, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { UploadTicketResource } from '@vitrine/contracts';
import { GuestsService, type Ticket, TokensService } from '@vitrine/domain';
import { type Admission, Answers, API_PREFIX, Authenticated, CurrentAdmission } from '@vitrine/http';
import { PublicUrlsConfig } from '@vitrine/runtime';
import type { Response } from 'express';

@ApiTags('guests')
@Controller(`${API_PREFIX}/upload-tickets`)
export class UploadTicketsController {
  constructor(
    private readonly tokens: TokensService,
    private readonly guests: GuestsService,
    private readonly urls: PublicUrlsConfig,
  ) {}

  @Post()
  @Authenticated({ session: true, guest: 'too', visitors: true })
  @ApiOperation({
    operationId: 'createUploadTicket',
    summary: 'Get a ticket to upload with',
    description:
      'A token that a page may hold: it uploads for an hour and does nothing else. What comes with it is the ' +
      'account’s, or the guest’s. A visitor without a token becomes a guest, whose own token comes with the ticket; ' +
      'a guest who has nothing here a day later is forgotten. `Location` is where to upload.',
  })
  @Answers(201, UploadTicketResource, 'The ticket is made; its secrets are shown this once.')
  async create(
    @CurrentAdmission() { caller, addressBucket }: Admission,
    @Res({ passthrough: true }) response: Response,
  ): Promise<UploadTicketResource> {
    response.set('Location', this.urls.upload);
    if (caller) return present(await this.tokens.createTicket(caller));
    const { ticket, secret } = await this.guests.welcome(addressBucket);
    return { ...present(ticket), guest_token: secret };
  }
}

const present = ({ secret, expiresAt }: Ticket): UploadTicketResource => ({
  message: 'Ticket created.',
  ticket: secret,
  expires_at: expiresAt.toISOString(),
});
