interface ModuleInfo {
  importedIds: readonly string[];
}

interface Graph {
  getModuleInfo(id: string): ModuleInfo | null;
}

/** What the views need at once, in the order in which a person meets them. What an earlier one has, a later one leaves out. */
const views = {
  base: ['main.tsx'],
  'sign-in': ['sign-in/sign-in-page.tsx'],
  frame: ['app/shell.tsx', 'app/start-work.ts'],
};

/** One file names every part of these libraries, so its imports say nothing of what a page uses. */
const isCollection = /node_modules\/(lucide-react|react-aria-components)\//;

let reached: Map<string, string> | undefined;

/**
 * The name of the chunk of a module. Without it the bundler makes a chunk for every set of pages that share a module: fifty
 * small files for the sign-in, which compress worse than one.
 */
export function nameChunk(id: string, graph: Graph): string | null {
  reached ??= reachViews(graph);
  const view = reached.get(id);
  // Dialogs have forms too, without the pages for strangers.
  if (view === 'sign-in' && !id.includes('/src/sign-in/')) return 'forms';
  return view ?? null;
}

function reachViews(graph: Graph): Map<string, string> {
  const found = new Map<string, string>();
  const visit = (view: string, id: string): void => {
    if (found.has(id) || isCollection.test(id)) return;
    found.set(id, view);
    for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) visit(view, imported);
  };
  for (const [view, files] of Object.entries(views)) {
    for (const file of files) visit(view, `${import.meta.dirname}/src/${file}`);
  }
  return found;
}
