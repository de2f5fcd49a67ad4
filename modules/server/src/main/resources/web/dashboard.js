// The dashboard: follows the server's events and shows the state. Start reading here; the parts are
// state.js (what the server told), grid.js (the cells), panels.js (the rest of the page), colours.js.

import { colourAll } from './colours.js';
import { Grid } from './grid.js';
import * as panels from './panels.js';
import { State } from './state.js';

const SILENCE_MILLIS = 10_000; // the server speaks every second; after this the connection is taken for dead
const STALE_MILLIS = 3_500;
const RETRY_MILLIS = 2_000;

const state = new State();
let selected = new URLSearchParams(location.hash.slice(1)).get('namespace');
let pointed = null; // the cell under the pointer: { cell, rectangle, more }
let described = null; // the selected cell: { cell, more, asked }
let source = null;
let heard = null; // when the last message came, in ms of the page's clock
let tried = 0; // when the connection was last opened
let open = false;
let painting = false;

const grid = new Grid(panels.find('cells'), {
  point(cell, rectangle) {
    if (cell && pointed?.cell === cell) return;
    pointed = cell && { cell, rectangle };
    panels.tip(cell, rectangle);
    if (cell) setTimeout(() => pointed?.cell === cell && ask(cell, (more) => {
      if (pointed?.cell === cell) panels.tip(cell, rectangle, (pointed.more = more));
    }), 150);
  },
  select(cell) {
    described = cell && { cell };
    panels.details(cell);
    if (cell) describe();
  },
});

/** Asks the server for what the stream does not carry: why a shard is where it is. */
async function ask(cell, take) {
  try {
    const answer = await fetch(`api/shard?namespace=${encodeURIComponent(selected)}&key=${encodeURIComponent(cell.key)}`);
    if (answer.ok) take(await answer.json());
  } catch {
    // Not reachable: the connection pill says so already.
  }
}

function describe() {
  const { cell } = described;
  described.asked = `${cell.epoch} ${cell.owner} ${cell.releasing}`;
  ask(cell, (more) => {
    if (described?.cell === cell) panels.details(cell, (described.more = more));
  });
}

function choose(name) {
  selected = name;
  history.replaceState(null, '', `#${new URLSearchParams({ namespace: name })}`);
  grid.selected = null;
  described = null;
  panels.details(null);
  panels.tip(null);
  grid.show(state.namespaces.get(name) ?? null);
  paint();
}

function connect() {
  source?.close();
  tried = performance.now();
  heard ??= tried;
  source = new EventSource('api/events');
  const following = source;
  source.addEventListener('snapshot', (event) => take(event, true));
  source.onmessage = (event) => take(event, false);
  source.onerror = () => {
    open = false;
    connection();
    if (following.readyState === EventSource.CLOSED) setTimeout(() => following === source && connect(), RETRY_MILLIS);
  };
}

function take(event, snapshot) {
  heard = performance.now();
  open = true;
  const message = JSON.parse(event.data);
  if (snapshot) message.kind = 'snapshot';
  const { changes, moves } = state.apply(message);
  colourAll([...state.namespaces.values()].flatMap((namespace) => [...namespace.executors.keys()]));
  if (!state.namespaces.has(selected)) {
    const first = [...state.namespaces.keys()].sort()[0];
    if (first !== undefined) choose(first);
    else grid.show(null);
  } else if (snapshot || changes.get(selected) === 'whole' || changes.get(selected)?.reordered) {
    grid.show(state.namespaces.get(selected));
  } else if (changes.has(selected)) {
    const { touched, rescaled } = changes.get(selected);
    grid.paint(rescaled ? state.namespaces.get(selected).cells : touched);
  }
  const here = state.namespaces.get(selected);
  if (here) grid.flash(moves.filter((move) => move.namespace === selected).map((move) => here.byKey.get(move.shard)).filter(Boolean));
  follow(here);
  if (!painting) {
    painting = true;
    requestAnimationFrame(() => {
      painting = false;
      paint();
    });
  }
  connection();
}

/** Keeps what is said of the selected and of the pointed cell true. */
function follow(namespace) {
  if (described) {
    const cell = namespace?.byKey.get(described.cell.key);
    if (!cell) {
      described = null;
      panels.details(null);
    } else {
      described.cell = cell;
      panels.details(cell, described.more);
      if (described.asked !== `${cell.epoch} ${cell.owner} ${cell.releasing}`) describe();
    }
  }
  if (pointed && namespace?.byKey.get(pointed.cell.key) !== pointed.cell) {
    pointed = null;
    panels.tip(null);
  }
}

function paint() {
  const namespace = state.namespaces.get(selected);
  panels.find('standby').hidden = state.serving;
  panels.find('no-namespaces').hidden = state.namespaces.size > 0 || !state.serving;
  panels.find('board').hidden = !namespace;
  panels.namespaces(state.namespaces, selected, choose);
  if (!namespace) return;
  if (grid.view === null && namespace.cells.length > 0) grid.show(namespace);
  panels.find('shards-title').textContent = `Shards of ${namespace.name}`;
  panels.find('no-shards').hidden = namespace.cells.length > 0;
  panels.executors(namespace);
  panels.logs(state, namespace);
}

function connection() {
  const age = performance.now() - heard;
  const live = open && age < STALE_MILLIS;
  const pill = panels.find('connection');
  const text = live ? 'live' : state.sequence === 0 && state.namespaces.size === 0 ? 'connecting' : `reconnecting · data ${Math.round(age / 1000)} s old`;
  if (pill.textContent !== text) pill.textContent = text;
  pill.classList.toggle('live', live);
  document.body.classList.toggle('stale', !live);
}

setInterval(() => {
  connection();
  if (performance.now() - Math.max(heard, tried) > SILENCE_MILLIS) {
    open = false;
    connect();
  }
}, 1000);
connect();
