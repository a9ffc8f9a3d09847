import { randomInt } from 'node:crypto';
import type { Session } from './session.ts';

/** Old area codes, which strict validators know. */
const areaCodes =
  '201 202 203 205 206 207 208 209 210 212 213 214 215 216 217 218 219 225 228 229 231 234 239 240 248 251 252 253 254 256 ' +
  '260 262 267 269 270 301 302 303 304 305 307 308 309 310 312 313 314 315 316 317 318 319 320 321 323 330 334 336 337 352 ' +
  '360 401 402 404 405 406 407 408 409 410 412 413 414 415 417 419 423 425 432 434 435 440 443 469 478 479 480 484 501 502 ' +
  '503 504 505 507 508 509 510 512 513 515 516 517 518 520 530 540 541 559 561 562 563 570 573 574 580 585 586 601 602 603';
const codes = areaCodes.split(' ');

/** A phone number reserved for fiction (+1 … 555 01xx) that this run has not drawn before. */
export function drawNumber({ drawn_numbers }: Pick<Session, 'drawn_numbers'>): string {
  for (;;) {
    const number = `+1${codes[randomInt(codes.length)]}55501${String(randomInt(100)).padStart(2, '0')}`;
    if (drawn_numbers.has(number)) continue;
    drawn_numbers.add(number);
    return number;
  }
}
