/** The stored form of a vector: 32-bit floats, little-endian. */
export function packVector(vector: readonly number[]): Buffer {
  const bytes = Buffer.alloc(vector.length * 4);
  for (const [index, value] of vector.entries()) bytes.writeFloatLE(value, index * 4);
  return bytes;
}

/** The cosine similarity of a stored vector and another; undefined if their lengths differ (two models). */
export function cosineSimilarity(stored: Buffer, vector: readonly number[]): number | undefined {
  if (stored.length !== vector.length * 4) return undefined;
  let [dot, a, b] = [0, 0, 0];
  for (const [index, value] of vector.entries()) {
    const other = stored.readFloatLE(index * 4);
    dot += value * other;
    a += value * value;
    b += other * other;
  }
  return a === 0 || b === 0 ? undefined : dot / Math.sqrt(a * b);
}
