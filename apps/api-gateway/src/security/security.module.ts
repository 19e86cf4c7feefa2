import { Module } from '@nestjs/common';
import { AccountSecurityModule } from '@vitrine/domain';
import { SecurityController } from './security.controller';

@Module({ imports: [AccountSecurityModule], controllers: [SecurityController] })
export class SecurityModule {}
