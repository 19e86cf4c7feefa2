import { Module } from '@nestjs/common';
import { AuthorsModule } from '../authors/authors.module';
import { TokensModule } from '../tokens/tokens.module';
import { UsersModule } from '../users/users.module';
import { WebhooksModule } from '../webhooks/webhooks.module';
import { WebhookEditing } from './webhook-editing.service';

/** Creating and changing webhooks. */
@Module({
  imports: [AuthorsModule, TokensModule, UsersModule, WebhooksModule],
  providers: [WebhookEditing],
  exports: [WebhookEditing],
})
export class WebhookEditingModule {}
