import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

interface ModuleInfo {
  importedIds: readonly string[];
  dynamicallyImportedIds: readonly string[];
  dynamicImporters: readonly string[];
}

interface Graph {
  getModuleInfo(id: string): ModuleInfo | null;
}

/** What the views need at once, in the order in which a person meets them. What an earlier one has, a later one leaves out. */
const views = {
  base: ['main.tsx'],
  'sign-in': ['sign-in/sign-in-page.tsx'],
  frame: ['app/shell.tsx', 'app/start-work.ts'],
  conversation: ['conversation/conversation-pane.tsx'],
  contact: ['contacts/contact-panel.tsx'],
};

/** Pages and parts of an open conversation. */
const isOfConversation = /\/src\/(conversation|composer|inbox|contacts)\//;

let names: Map<string, string> | undefined;

/**
 * The groups of modules that make a chunk each. Without them the bundler makes a chunk for every set of pages that share a module:
 * fifty small files for the sign-in and seventy for a conversation, which compress worse and arrive later than a few. A group takes
 * what its modules import, so the first view comes first.
 */
export const chunkGroups = [
  'base',
  'forms',
  'sign-in',
  'frame',
  'conversation-parts',
  'conversation',
  'contact-parts',
  'contact',
].map((name, place, all) => ({
  name: (id: string, graph: Graph): string | null => {
    names ??= nameChunks(graph);
    return names.get(id) === name ? name : null;
  },
  debugName: name,
  priority: all.length - place,
}));

function nameChunks(graph: Graph): Map<string, string> {
  const reach = openReach(graph);
  const found = new Map<string, string>();
  const elsewhere = reach(pagesElsewhere(graph), new Map());
  for (const [view, files] of Object.entries(views)) {
    const ids = files.map((file) => join(import.meta.dirname, 'src', file));
    const hasParts = view === 'conversation' || view === 'contact';
    for (const id of reach(ids, found)) {
      // Dialogs have forms too, without the pages for strangers.
      const isForm = view === 'sign-in' && !id.includes('/src/sign-in/');
      found.set(id, isForm ? 'forms' : hasParts && elsewhere.has(id) ? `${view}-parts` : view);
    }
  }
  return found;
}

function allModules(graph: Graph): Set<string> {
  const found = new Set([join(import.meta.dirname, 'src/main.tsx')]);
  for (const id of found) {
    const module = graph.getModuleInfo(id);
    for (const imported of [...(module?.importedIds ?? []), ...(module?.dynamicallyImportedIds ?? [])])
      found.add(imported);
  }
  return found;
}

/** The files that other parts of the console load, which should not load all of a conversation. */
function pagesElsewhere(graph: Graph): string[] {
  return [...allModules(graph)].filter(
    (id) => !isOfConversation.test(id) && (graph.getModuleInfo(id)?.dynamicImporters.length ?? 0) > 0,
  );
}

/** Finds modules with all that they import, but for those that are known and what these import. */
function openReach(graph: Graph) {
  const libraries = readLibraries(graph);
  return (ids: readonly string[], known: ReadonlyMap<string, string>): Set<string> => {
    const found = new Set<string>();
    const visit = (id: string): void => {
      const module = graph.getModuleInfo(id);
      if (!module || found.has(id) || known.has(id) || indexOfLibrary.test(id)) return;
      found.add(id);
      for (const imported of [...module.importedIds, ...namedParts(id, libraries)]) visit(imported);
    };
    for (const id of ids) visit(id);
    return found;
  };
}

/** One file of these libraries names every part, so an import of it says nothing of what a page uses. The names say it. */
const indexOfLibrary =
  /node_modules\/(react-aria-components|lucide-react)\/dist\/(?:exports\/index|esm\/lucide-react)\.mjs$/;

/** The modules of each library by the names of their parts. */
function readLibraries(graph: Graph): Map<string, Map<string, string>> {
  const libraries = new Map<string, Map<string, string>>();
  for (const id of allModules(graph)) {
    const [, library] = indexOfLibrary.exec(id) ?? [];
    if (library) libraries.set(library, readIndex(id));
  }
  return libraries;
}

function readIndex(index: string): Map<string, string> {
  const modules = new Map<string, string>();
  for (const [, parts, from] of readFileSync(index, 'utf8').matchAll(/\{([^}]*)\} from ["'](\.[^"']+)["']/g)) {
    for (const part of parts!.split(',')) {
      const [name, alias] = part.trim().split(' as ');
      modules.set(name === 'default' ? alias! : name!, join(dirname(index), from!));
    }
  }
  return modules;
}

function* namedParts(id: string, libraries: Map<string, Map<string, string>>): Generator<string> {
  if (id.includes('/node_modules/') || !/\.tsx?$/.test(id)) return;
  for (const [, parts, library] of readFileSync(id, 'utf8').matchAll(/import \{([^}]*)\} from '([\w-]+)'/g)) {
    for (const part of parts!.split(',')) {
      const module = libraries.get(library!)?.get(part.trim().split(' as ')[0]!);
      if (module) yield module;
    }
  }
}
