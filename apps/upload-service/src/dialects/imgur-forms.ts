import { Injectable } from '@nestjs/common';
import { MAX_POST_MEDIA } from '@vitrine/contracts';
import { readRequest } from '@vitrine/contracts/api';
import { InvalidFieldsError } from '@vitrine/domain';
import { bringsBody } from '@vitrine/runtime';
import { ObjectStorage } from '@vitrine/storage';
import type { Request } from 'express';
import { type FormFields, FormReading } from '../receiving/form-reading';
import { UploadReceiver } from '../receiving/upload-receiver';

/** Largest body of a form without a file. */
const MAX_BYTES = 256 * 1024;

/** Reads forms without files: multipart or urlencoded. */
@Injectable()
export class ImgurForms {
  constructor(
    private readonly receiver: UploadReceiver,
    private readonly storage: ObjectStorage,
  ) {}

  /** The texts of a form; empty without a body. Throws the refusals of upload-errors.ts. */
  async fields(request: Request): Promise<FormFields> {
    if (!bringsBody(request)) return new Map();
    const reading = new FormReading(request, await this.storage.scratchDirectory(), {
      fileFields: [],
      maxFiles: 0,
      maxFileBytes: 0,
      acceptsRaw: false,
    });
    return (await this.receiver.read(request, reading, MAX_BYTES)).fields;
  }

  /** A request class with the first value of each of its fields. Throws `InvalidFieldsError`. */
  async read<Wanted extends object>(request: Request, type: new () => Wanted): Promise<Wanted> {
    return readTexts(await this.fields(request), type);
  }
}

/** As `ImgurForms.read`, from fields that have been read. An empty text counts as null. */
export function readTexts<Wanted extends object>(fields: FormFields, type: new () => Wanted): Wanted {
  const texts = ['title', 'description'].flatMap((name) => {
    const value = fields.get(name)?.[0];
    return value === undefined ? [] : [[name, value === '' ? null : value] as const];
  });
  const { request, errors } = readRequest(type, Object.fromEntries(texts));
  if (errors) throw new InvalidFieldsError(errors);
  return request;
}

/**
 * The ids or deletehashes of images that a form names, as slugs, each once. Programs repeat `ids[]`, number it (`ids[0]`)
 * or separate ids by commas. Throws `InvalidFieldsError` if there are too many.
 */
export function slugsIn(fields: FormFields): readonly string[] {
  const named = [...fields].filter(([name]) => /^(?:ids|deletehashes)(?:\[\d*\])?$/.test(name));
  const codes = named.flatMap(([, values]) => values.flatMap((value) => value.split(',')));
  const slugs = new Set(codes.map((code) => code.trim().slice(0, 7)).filter(Boolean));
  if (slugs.size > MAX_POST_MEDIA) {
    throw new InvalidFieldsError({ ids: [`The post may not have more than ${MAX_POST_MEDIA} media.`] });
  }
  return [...slugs];
}
