import { bearer } from './control-token.js';

/** Calls the control API; throws an error with the text of a refusal. */
export async function call(method, path, body) {
  const answer = await fetch(`control/${path}`, {
    method,
    headers: { ...bearer(), ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  const value = text === '' ? {} : JSON.parse(text);
  if (!answer.ok) throw new Error(value.error ?? `The simulator answered ${answer.status}`);
  return value;
}

export async function uploadFile(file, phone_number_id) {
  const query = new URLSearchParams({
    phone_number_id,
    mime_type: file.type || 'application/octet-stream',
    filename: file.name,
  });
  if (file.type === 'audio/ogg') query.set('voice', 'true');
  const answer = await fetch(`control/media?${query}`, {
    method: 'POST',
    headers: { ...bearer(), 'content-type': 'application/octet-stream' },
    body: file,
  });
  if (!answer.ok) throw new Error((await answer.json()).error);
  return answer.json();
}
