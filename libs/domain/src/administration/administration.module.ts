import { Module } from '@nestjs/common';
import { AccountRulingsModule } from '../account-rulings/account-rulings.module';
import { AuditLogModule } from '../audit/audit-log.module';
import { AccountErasureModule } from '../erasure/account-erasure.module';
import { TokensModule } from '../tokens/tokens.module';
import { UsersModule } from '../users/users.module';
import { PeopleRepository } from './people.repository';
import { PeopleService } from './people.service';

/** What admins do with accounts. */
@Module({
  imports: [AccountErasureModule, AccountRulingsModule, AuditLogModule, TokensModule, UsersModule],
  providers: [PeopleRepository, PeopleService],
  exports: [PeopleService],
})
export class AdministrationModule {}
