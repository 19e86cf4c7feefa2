import { Module } from '@nestjs/common';
import { MediaModule, TokensModule, UsersModule } from '@vitrine/domain';
import { AuthController } from './auth.controller';

@Module({ imports: [UsersModule, TokensModule, MediaModule], controllers: [AuthController] })
export class AuthModule {}
