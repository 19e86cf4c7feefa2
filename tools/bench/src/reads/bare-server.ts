import type { AddressInfo } from 'node:net';
import express, { type NextFunction, type Request, type Response } from 'express';
import { Pool } from 'pg';

/**
 * The lowest possible cost of a read with Express and pg: one indexed query for each request, its row as JSON. It has
 * no accounts, limits, authors and variants.
 */
const [url, size] = process.argv.slice(2);
const pool = new Pool({ connectionString: url, max: Number(size) });

const COLUMNS = {
  media: `id, slug, title, description, alt_text, mime, ext, bytes, width, height, duration, moderation_status,
          processed, processing_error, thumbhash, tags, created_at`,
  posts: `id, slug, title, description, score, view_count, media_count, moderation_status, comment_count, tags,
          created_at, updated_at`,
};

const show =
  (table: keyof typeof COLUMNS) => async (request: Request, response: Response, next: NextFunction) => {
    const { rows } = await pool.query(`select ${COLUMNS[table]} from ${table} where slug = $1`, [
      request.params['slug'],
    ]);
    if (rows[0]) response.json({ data: rows[0] });
    else next();
  };

const app = express();
app.get('/api/v1/media/:slug', show('media'));
app.get('/api/v1/posts/:slug', show('posts'));
const server = app.listen(0, '127.0.0.1', () => process.send!(server.address() as AddressInfo));
process.on('disconnect', () => {
  server.close();
  server.closeAllConnections();
  void pool.end();
});
