import { Module } from '@nestjs/common';
import { MediaModule, UsersModule } from '@vitrine/domain';
import { MeController } from './me.controller';

@Module({ imports: [UsersModule, MediaModule], controllers: [MeController] })
export class MeModule {}
