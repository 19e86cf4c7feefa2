import { Module } from '@nestjs/common';
import { LoginHistoryRepository } from './login-history.repository';
import { LoginHistory } from './login-history.service';

/** The history of logins, and the browsers that have logged in before. */
@Module({ providers: [LoginHistoryRepository, LoginHistory], exports: [LoginHistory] })
export class LoginHistoryModule {}
