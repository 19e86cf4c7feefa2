import type { Hosts, Samples } from './samples';

export interface Recipe {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly samples: Samples;
}

/** Samples for the most common tasks. A test runs each of them exactly as shown. */
export const recipesFor = ({ api, upload }: Hosts): readonly Recipe[] => [
  {
    id: 'upload-a-file',
    title: 'Upload a file, get its link',
    text: 'The link works immediately, and so do the links to all other sizes.',
    samples: {
      curl: `curl -fsS -H "Authorization: Bearer $TOKEN" \\
  -F file=@photo.jpg ${upload} \\
  | jq -r .media.urls.original`,
      javascript: `import { openAsBlob } from 'node:fs';

const form = new FormData();
form.append('file', await openAsBlob('photo.jpg'), 'photo.jpg');
const response = await fetch('${upload}', {
  method: 'POST',
  headers: { Authorization: \`Bearer \${process.env.TOKEN}\` },
  body: form,
});
const { media } = await response.json();
console.log(media.urls.original);`,
      python: `import os
import requests

with open("photo.jpg", "rb") as file:
    response = requests.post(
        "${upload}",
        headers={"Authorization": f"Bearer {os.environ['TOKEN']}"},
        files={"file": file},
    )
response.raise_for_status()
print(response.json()["media"]["urls"]["original"])`,
    },
  },
  {
    id: 'make-a-post',
    title: 'Create a post',
    text: 'A post groups media that you have uploaded; list them by their numeric ids. With an Idempotency-Key, a repeated request creates only one post.',
    samples: {
      curl: `MEDIA_ID=$(curl -fsS -H "Authorization: Bearer $TOKEN" \\
  -F file=@photo.jpg ${upload} | jq .media.id)
curl -fsS -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' -H 'Idempotency-Key: my-post-1' \\
  -d "{\\"media_ids\\": [$MEDIA_ID], \\"title\\": \\"Evening at the harbour\\"}" \\
  ${api}/posts`,
      javascript: `import { openAsBlob } from 'node:fs';

const headers = { Authorization: \`Bearer \${process.env.TOKEN}\` };
const form = new FormData();
form.append('file', await openAsBlob('photo.jpg'), 'photo.jpg');
const uploaded = await fetch('${upload}', {
  method: 'POST',
  headers,
  body: form,
});
const { media } = await uploaded.json();
const response = await fetch('${api}/posts', {
  method: 'POST',
  headers: {
    ...headers,
    'Content-Type': 'application/json',
    'Idempotency-Key': crypto.randomUUID(),
  },
  body: JSON.stringify({ media_ids: [media.id], title: 'Evening at the harbour' }),
});
console.log(await response.json());`,
      python: `import os
import uuid
import requests

session = requests.Session()
session.headers["Authorization"] = f"Bearer {os.environ['TOKEN']}"
with open("photo.jpg", "rb") as file:
    uploaded = session.post("${upload}", files={"file": file})
response = session.post(
    "${api}/posts",
    headers={"Idempotency-Key": str(uuid.uuid4())},
    json={"media_ids": [uploaded.json()["media"]["id"]], "title": "Evening at the harbour"},
)
response.raise_for_status()
print(response.json())`,
    },
  },
  {
    id: 'walk-a-list',
    title: 'Read all pages of a list',
    text: 'Follow links.next until it is null. It keeps every parameter, including the order of sort=random.',
    samples: {
      curl: `NEXT='${api}/posts?limit=50'
while [ "$NEXT" != null ]; do
  curl -fsS "$NEXT" > page.json
  jq -r '.data[] | "\\(.score)  \\(.title)"' page.json
  NEXT=$(jq -r .links.next page.json)
done`,
      javascript: `let next = '${api}/posts?limit=50';
while (next !== null) {
  const response = await fetch(next);
  const page = await response.json();
  for (const { score, title } of page.data) console.log(score, title);
  next = page.links.next;
}`,
      python: `import requests

url = "${api}/posts?limit=50"
while url is not None:
    page = requests.get(url).json()
    for post in page["data"]:
        print(post["score"], post["title"])
    url = page["links"]["next"]`,
    },
  },
];
