import { Module } from '@nestjs/common';
import { AuthorRepository } from './author.repository';
import { AuthorsService } from './authors.service';

/** Accounts as authors; apart from the accounts' own module because what they make asks for it. */
@Module({ providers: [AuthorRepository, AuthorsService], exports: [AuthorsService] })
export class AuthorsModule {}
