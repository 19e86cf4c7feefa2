import { Module } from '@nestjs/common';
import { AuthorsModule } from '../../accounts/authors/authors.module';
import { TokensModule } from '../../sign-in/tokens/tokens.module';
import { UsersModule } from '../../accounts/users/users.module';
import { WebhooksModule } from './webhooks.module';
import { WebhookEditing } from './webhook-editing.service';

/** Creating and changing webhooks. */
@Module({
  imports: [AuthorsModule, TokensModule, UsersModule, WebhooksModule],
  providers: [WebhookEditing],
  exports: [WebhookEditing],
})
export class WebhookEditingModule {}
