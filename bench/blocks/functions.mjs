// Prints the functions of a random sample of files as JSON lines, as tree-sitter's grammars see them:
//   node functions.mjs SEED COUNT FOLDER... > functions.jsonl
//   LANGUAGE=Go node functions.mjs ...           only of one language
// Each folder holds one unpacked package per entry. It needs what packages.sh installs in the
// current directory, and for Perl the program `perl` with PPI.
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, extname, join } from "node:path";

const require = createRequire(join(process.cwd(), "x.js"));
const { Parser, Language } = require("web-tree-sitter");
const [seed, count, ...folders] = process.argv.slice(2);
const perFile = 3, largest = 400_000, shortest = 3, longest = 150;

// The types of the nodes that are functions, and of those that are functions if they are named by
// what they are assigned to.
const script = {
  functions: "function_declaration generator_function_declaration method_definition",
  assigned: "arrow_function function function_expression generator_function",
};
const languages = {
  Go: { ext: ".go", grammar: "go", functions: "function_declaration method_declaration" },
  Python: { ext: ".py", grammar: "python", functions: "function_definition" },
  JavaScript: { ext: ".js .mjs .cjs", grammar: "javascript", ...script },
  TypeScript: { ext: ".ts .mts .cts", grammar: "typescript", ...script },
  TSX: { ext: ".tsx", grammar: "tsx", ...script },
  JSX: { ext: ".jsx", grammar: "javascript", ...script },
  Rust: { ext: ".rs", grammar: "rust", functions: "function_item" },
  C: { ext: ".c", grammar: "c", functions: "function_definition" },
  "C++": { ext: ".cc .cpp .cxx .hpp .hh", grammar: "cpp", functions: "function_definition" },
  "C#": {
    ext: ".cs", grammar: "c_sharp", functions: "method_declaration constructor_declaration " +
      "local_function_statement operator_declaration destructor_declaration",
  },
  Java: {
    ext: ".java", grammar: "java",
    functions: "method_declaration constructor_declaration compact_constructor_declaration",
  },
  Kotlin: { ext: ".kt", grammar: "kotlin", functions: "function_declaration secondary_constructor" },
  Swift: { ext: ".swift", grammar: "swift", functions: "function_declaration init_declaration" },
  PHP: { ext: ".php", grammar: "php", functions: "function_definition method_declaration" },
  Ruby: { ext: ".rb", grammar: "ruby", functions: "method singleton_method" },
  Lua: {
    ext: ".lua", grammar: "lua", assigned: "function_definition", functions: "function_declaration " +
      "function_definition_statement local_function_definition_statement function_statement",
  },
  Scala: { ext: ".scala", grammar: "scala", functions: "function_definition" },
  Dart: { ext: ".dart", grammar: "dart", functions: "function_body" },
  Shell: {
    ext: ".sh .bash", functions: "function_definition",
    wasm: "tree-sitter-bash/tree-sitter-bash.wasm",
  },
  Elixir: { ext: ".ex .exs", grammar: "elixir", functions: "call" },
  CSS: { ext: ".css", grammar: "css", functions: "rule_set" },
  Makefile: {
    ext: "Makefile makefile GNUmakefile .mk", functions: "rule",
    wasm: "tree-sitter-make/tree-sitter-make.wasm",
  },
  Perl: { ext: ".pl .pm", parse: perlFunctions },
  SQL: { ext: ".sql", parse: sqlFunctions },
};

let state = Number(seed) >>> 0; // of a generator by Tommy Ettinger, mulberry32
function random(n) {
  state = (state + 0x6d2b79f5) >>> 0;
  let t = Math.imul(state ^ (state >>> 15), state | 1);
  t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
  return ((t ^ (t >>> 14)) >>> 0) % n;
}
function shuffle(list) {
  for (let i = list.length - 1; i > 0; i--) {
    const j = random(i + 1);
    [list[i], list[j]] = [list[j], list[i]];
  }
  return list;
}

function* filesBelow(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path);
    else if (entry.isFile()) yield path;
  }
}

const words = (text) => new Set((text ?? "").split(" "));
const isComment = (node) => /comment/.test(node.type);
const isMark = (node) => /comment|attribute|annotation|decorator|modifiers/.test(node.type);
const lastRow = (n) =>
  n.endPosition.column === 0 && n.endPosition.row > n.startPosition.row
    ? n.endPosition.row - 1 : n.endPosition.row;

// whole returns the node with everything that belongs to the function: an export, a decorated
// definition, a template head, the statement that assigns it.
function whole(node) {
  const outer = /^(export_statement|decorated_definition|template_declaration|variable_declarator|lexical_declaration|variable_declaration|local_declaration|assignment_expression|assignment_statement|expression_statement|pair|public_field_definition|field_definition|field|declaration_list_item|variable_list|expression_list)$/;
  while (node.parent && outer.test(node.parent.type)) node = node.parent;
  return node;
}

function isNamed(node) {
  if (node.childForFieldName("name")) return true;
  const outer = node.parent?.type === "expression_list" ? node.parent.parent : node.parent;
  const parent = outer?.type ?? "";
  return /^(variable_declarator|assignment_expression|pair|public_field_definition|field_definition|field|assignment_statement|local_variable_declaration|variable_declaration|variable_assignment)$/
    .test(parent);
}

function rows(language, node) {
  let outer = whole(node), first = outer.startPosition.row;
  if (language === languages.Dart) { // a signature and a body are siblings
    outer = node.previousNamedSibling;
    if (!outer || !/signature/.test(outer.type)) return;
    if (outer.parent.type !== "program" && outer.parent.type === "lambda_expression") return;
    first = outer.startPosition.row;
  }
  for (let above = outer.previousSibling; above; above = above.previousSibling) {
    const isTrailing = isComment(above) && above.previousSibling &&
      lastRow(above.previousSibling) === above.startPosition.row && !isMark(above.previousSibling);
    if (!isMark(above) || isTrailing || lastRow(above) + 1 < first) break;
    first = above.startPosition.row;
  }
  return { first: first + 1, last: Math.max(lastRow(node), lastRow(whole(node))) + 1 };
}

function functionsOf(language, tree, lines) {
  const kinds = words(language.functions), assigned = words(language.assigned), found = [];
  const visit = (node, broken) => {
    broken ||= node.type === "ERROR";
    let isFunction = kinds.has(node.type) || (assigned.has(node.type) && isNamed(node));
    if (language === languages.Elixir && isFunction)
      isFunction = /^(def|defp|defmacro|defmacrop)$/.test(node.firstChild?.text ?? "");
    if (isFunction && !broken && !node.hasError) {
      const r = rows(language, node);
      while (r && !lines[r.last - 1].trim()) r.last--; // a rule ends before the next one
      if (r) found.push(r);
    }
    for (const child of node.children) visit(child, broken);
  };
  visit(tree.rootNode, false);
  return found;
}

const ppi = `use PPI; my $d = PPI::Document->new($ARGV[0]) or exit; $d->index_locations;
for my $s (@{$d->find("PPI::Statement::Sub") || []}) { next if !$s->block || $s->isa("PPI::Statement::Scheduled");
  my $l = $s->last_token->line_number; my $f = $s->line_number; my $p = $s->previous_sibling;
  while ($p && ($p->isa("PPI::Token::Comment") && $p->line || $p->isa("PPI::Token::Whitespace"))) {
    last if $p->isa("PPI::Token::Whitespace") && $p->content =~ /\\n/;
    $f = $p->line_number if $p->isa("PPI::Token::Comment"); $p = $p->previous_sibling }
  print "$f $l\\n" }`;
function perlFunctions(path) {
  const out = execFileSync("perl", ["-e", ppi, path], { stdio: ["ignore", "pipe", "ignore"] });
  return out.toString().trim().split("\n").filter(Boolean).map((l) => {
    const [first, last] = l.split(" ").map(Number);
    return { first, last };
  });
}

// sqlFunctions returns the functions, procedures and triggers of a file of PostgreSQL. The commands
// of psql are blank lines for its parser, which wants no others between statements.
async function sqlFunctions(path) {
  const { parse } = require("libpg-query");
  const text = readFileSync(path, "utf8").replace(/^\\.*$/gm, (l) => " ".repeat(l.length));
  const bytes = Buffer.from(text), found = [];
  for (const { stmt, stmt_location = 0, stmt_len = bytes.length } of (await parse(text)).stmts) {
    if (!stmt.CreateFunctionStmt && !stmt.CreateTrigStmt) continue;
    const lineOf = (at) => bytes.subarray(0, at).toString().split("\n").length;
    const lines = bytes.subarray(stmt_location, stmt_location + stmt_len).toString().split("\n");
    let first = lines.findIndex((l) => /^\s*create\b/i.test(l));
    while (first > 0 && /^\s*--/.test(lines[first - 1])) first--;
    const start = lineOf(stmt_location);
    if (first >= 0) found.push({ first: start + first, last: start + lines.length - 1 });
  }
  return found;
}

// innermost returns the function that counts for a line: the innermost of more than three lines.
function innermost(functions, line) {
  const around = functions.filter((f) => f.first <= line && line <= f.last);
  const large = around.filter((f) => f.last - f.first >= 3);
  const by = (a, b) => a.last - a.first - (b.last - b.first);
  return (large.length ? large : around).sort(by)[0];
}

await Parser.init();
const byExtension = new Map();
for (const [name, language] of Object.entries(languages)) {
  language.name = name;
  language.files = [];
  for (const e of language.ext.split(" ")) byExtension.set(e, language);
}
for (const folder of folders) {
  for (const name of readdirSync(folder).sort()) {
    const root = join(folder, name);
    if (!statSync(root).isDirectory()) continue;
    for (const path of filesBelow(root)) {
      const language = byExtension.get(basename(path)) ?? byExtension.get(extname(path));
      if (language && !/\.min\.|\.d\.ts$/.test(path)) language.files.push({ path, from: name });
    }
  }
}
if (!process.env.LANGUAGE) { // each in a process of its own: a grammar can damage others
  for (const name of Object.keys(languages)) {
    const env = { ...process.env, LANGUAGE: name };
    spawnSync(process.execPath, process.argv.slice(1), { env, stdio: "inherit" });
  }
  process.exit();
}
for (const language of [languages[process.env.LANGUAGE]]) {
  const seen = new Set(), ofPackage = new Map();
  let found = 0, parser;
  const packages = new Set(language.files.map((f) => f.from)).size;
  const perPackage = Math.max(25, Math.ceil((4 * count) / packages));
  if (!language.parse) {
    parser = new Parser();
    const wasm = language.wasm ?? `tree-sitter-wasms/out/tree-sitter-${language.grammar}.wasm`;
    parser.setLanguage(await Language.load(require.resolve(wasm)));
  }
  for (const { path, from } of shuffle(language.files)) {
    if (found >= Number(count)) break;
    if ((ofPackage.get(from) ?? 0) >= perPackage) continue;
    const bytes = readFileSync(path), hash = createHash("sha256").update(bytes).digest("hex");
    const text = bytes.toString("utf8");
    const isGenerated = bytes.length > largest || text.length / (text.split("\n").length + 1) > 150;
    if (seen.has(hash) || isGenerated || text.includes("\ufffd") || text.includes("\0")) continue;
    seen.add(hash);
    let functions;
    try {
      if (parser) {
        const tree = parser.parse(text);
        functions = functionsOf(language, tree, text.split("\n"));
        tree.delete();
      } else functions = await language.parse(path);
    } catch { continue; }
    let ofFile = 0;
    for (const f of shuffle([...functions])) {
      const size = f.last - f.first + 1;
      if (ofFile >= perFile || size < shortest || size > longest) continue;
      const line = f.first + random(size), counts = innermost(functions, line);
      if (counts.last - counts.first + 1 > longest) continue;
      ofFile++;
      console.log(JSON.stringify({ language: language.name, from, path, line, ...counts }));
    }
    found += ofFile;
    ofPackage.set(from, (ofPackage.get(from) ?? 0) + ofFile);
  }
}
