import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PlatformTemplate } from '../../platform/template.ts';
import type { DeletedTemplate, StoredTemplate } from '../queries.ts';
import { compareListing } from './compare-listing.ts';

const before = new Date('2026-11-20T09:00:00Z');
const listed_at = new Date('2026-11-20T10:00:00Z');
const now = new Date('2026-11-20T10:00:01Z');
const components = [{ type: 'body' as const, text: 'Hello {{1}}' }];

const stored: StoredTemplate = {
  workspace_id: 'w',
  waba_id: '100200',
  id: 't',
  platform_template_id: '880',
  name: 'order_update',
  language: 'en',
  category: 'utility',
  components,
  status: 'pending',
  rejection_reason: null,
  quality: null,
  coming_category: null,
  category_changes_at: null,
  parameter_format: null,
  is_from_file: false,
  updated_at: before,
};
const listed: PlatformTemplate = {
  platform_template_id: '880',
  name: 'order_update',
  language: 'en',
  category: 'utility',
  status: 'pending',
  components,
};
const none = { added: [], changed: [], gone: [] };
const compare = (rows: StoredTemplate[], list: PlatformTemplate[], deleted: DeletedTemplate[] = []) =>
  compareListing(rows, list, { listed_at, deleted, now });

describe('compareListing', () => {
  it('changes nothing where the list says what is stored', () => {
    assert.deepEqual(compare([stored], [listed]), none);
  });

  it('tells what a template was and what it came to, and dates it', () => {
    const approved = { ...stored, status: 'approved', updated_at: now };
    const changed = [{ before: stored, after: approved }];
    assert.deepEqual(compare([stored], [{ ...listed, status: 'approved' }]), { ...none, changed });
    const rated = { ...stored, quality: 'GREEN', updated_at: now };
    assert.deepEqual(compare([stored], [{ ...listed, quality: 'GREEN' }]).changed, [{ before: stored, after: rated }]);
  });

  it('keeps a reason that the list does not repeat, until the status is another', () => {
    const rejected = { ...stored, status: 'rejected', rejection_reason: '100: No' };
    assert.deepEqual(compare([rejected], [{ ...listed, status: 'rejected' }]), none);
    const [change] = compare([rejected], [{ ...listed, status: 'approved' }]).changed;
    assert.equal(change!.after.rejection_reason, null);
  });

  it('keeps examples that the list does not give back', () => {
    const header = { type: 'header' as const, format: 'image' as const };
    const sampled = { ...stored, components: [{ ...header, examples: ['4::h'] }, ...components] };
    assert.deepEqual(compare([sampled], [{ ...listed, components: [header, ...components] }]), none);
  });

  it('takes up what the platform has besides, by name and language', () => {
    const { added, gone } = compare([stored], [listed, { ...listed, platform_template_id: '881', language: 'ar' }]);
    assert.deepEqual(
      added.map((row) => [row.platform_template_id, row.language]),
      [['881', 'ar']],
    );
    assert.deepEqual(gone, []);
  });

  it('learns the platform’s id of a template that was known by name alone', () => {
    const unknown = { ...stored, platform_template_id: null };
    const { changed } = compare([unknown], [listed]);
    assert.deepEqual(changed, [{ before: unknown, after: { ...stored, updated_at: now } }]);
  });

  it('finds those gone that the platform had and has no more, or is deleting', () => {
    assert.deepEqual(compare([stored], []).gone, [stored]);
    assert.deepEqual(compare([stored], [{ ...listed, status: 'deleted' }]).gone, [stored]);
    assert.deepEqual(compare([{ ...stored, platform_template_id: null }], []), none);
  });

  it('does not take for gone what the platform had a moment ago: its lists may lag behind', () => {
    const settled = new Date(listed_at.getTime() - 300_000);
    const fresh = new Date(settled.getTime() + 1);
    assert.deepEqual(compare([{ ...stored, updated_at: fresh }], []), none);
    assert.equal(compare([{ ...stored, updated_at: settled }], []).gone.length, 1);
  });

  it('does not bring back what was deleted, while its removal is under way or under the id that it had', () => {
    const { workspace_id, waba_id, id, name, language } = stored;
    const deleted = { workspace_id, waba_id, id, name, language, deleted_at: before };
    assert.deepEqual(compare([], [listed], [{ ...deleted, platform_template_id: null, removed_at: null }]), none);
    assert.deepEqual(compare([], [listed], [{ ...deleted, platform_template_id: '880', removed_at: before }]), none);
    const other = { ...deleted, platform_template_id: '879', removed_at: before };
    assert.equal(compare([], [listed], [other]).added.length, 1);
    const inOtherLanguage = { ...deleted, language: 'ar', platform_template_id: null, removed_at: null };
    assert.equal(compare([], [listed], [inOtherLanguage]).added.length, 1);
  });

  it('leaves alone what was changed here after the list was asked for', () => {
    const newer = { ...stored, updated_at: now };
    assert.deepEqual(compare([newer], [{ ...listed, status: 'rejected' }]), none);
    assert.deepEqual(compare([newer], []), none);
  });

  it('keeps the status where the platform gives one that is not known, and takes up nothing under it', () => {
    assert.deepEqual(compare([stored], [{ ...listed, status: undefined }]), none);
    assert.deepEqual(compare([], [{ ...listed, status: undefined }]), none);
  });
});
