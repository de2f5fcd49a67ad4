// Everything on the page but the cells. Text of the server only ever becomes text nodes, never markup.

import { colourOf } from './colours.js';

export const find = (id) => document.getElementById(id);

export function element(tag, className, ...content) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  made.append(...content); // strings become text
  return made;
}

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const fine = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });
const clock = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' });
const seconds = (millis) => `${(millis / 1000).toFixed(millis < 100000 ? 1 : 0)} s`;
export const number = (value) => (Math.abs(value) >= 1000 ? whole : fine).format(value);

/** The cards of the namespaces. */
export function namespaces(all, selected, choose) {
  const box = find('namespaces');
  const cards = new Map([...box.children].map((card) => [card.dataset.name, card]));
  for (const [name, card] of cards) if (!all.has(name)) card.remove();
  for (const namespace of [...all.values()].sort((a, b) => (a.name < b.name ? -1 : 1))) {
    let card = cards.get(namespace.name);
    if (!card) {
      card = element('button', 'namespace');
      card.type = 'button';
      card.dataset.name = namespace.name;
      card.addEventListener('click', () => choose(namespace.name));
    }
    card.setAttribute('aria-pressed', String(namespace.name === selected));
    card.replaceChildren(...cardContent(namespace));
    if (card.parentNode !== box || box.lastElementChild !== card) box.append(card);
  }
}

function cardContent(namespace) {
  const figure = (value, name, className) => element('span', className, element('b', '', number(value)), ` ${name}`);
  const share = element('div', 'share');
  for (const [owner, count] of [...namespace.counts].sort((a, b) => (a[0] < b[0] ? -1 : 1)).slice(0, 200)) {
    if (count > 0) {
      const part = element('span');
      part.style.setProperty('--c', colourOf(owner));
      part.style.setProperty('--n', count);
      share.append(part);
    }
  }
  if (namespace.unowned > 0) {
    const rest = element('span');
    rest.style.setProperty('--c', 'transparent');
    rest.style.setProperty('--n', namespace.unowned);
    share.append(rest);
  }
  return [
    element('span', 'name', namespace.name),
    element('span', 'kind', `${namespace.fixed ? 'fixed' : 'ephemeral'} · lease ${number(namespace.leaseMillis / 1000)} s · ${namespace.balancer}`),
    element('div', 'figures',
      figure(namespace.cells.length, namespace.cells.length === 1 ? 'shard' : 'shards'),
      figure(namespace.executors.size, namespace.executors.size === 1 ? 'executor' : 'executors'),
      ...(namespace.unowned > 0 ? [figure(namespace.unowned, 'unowned', 'alarm')] : []),
      ...(namespace.releasing > 0 ? [figure(namespace.releasing, 'moving')] : [])),
    share,
  ];
}

/** The table of the executors; rows are kept, so that a selection of text or the focus survives. */
export function executors(namespace) {
  const body = find('executors').tBodies[0];
  const rows = new Map([...body.rows].map((row) => [row.dataset.id, row]));
  for (const [id, row] of rows) if (!namespace.executors.has(id)) row.remove();
  const most = Math.max(1, ...namespace.counts.values());
  for (const executor of namespace.executors.values()) {
    const row = rows.get(executor.id) ?? newRow(executor);
    fillRow(row, executor, namespace, most);
    if (!row.parentNode) body.append(row);
  }
  find('executors').hidden = namespace.executors.size === 0;
  find('no-executors').hidden = namespace.executors.size > 0;
}

function newRow(executor) {
  const row = element('tr');
  row.dataset.id = executor.id;
  for (let i = 0; i < 6; i++) row.append(element('td'));
  const [name, , , lease, shards] = row.cells;
  const dot = element('span', 'dot');
  dot.style.setProperty('--c', colourOf(executor.id));
  name.append(dot, element('span', '', executor.id), element('div', 'labels'));
  for (const cell of [lease, shards]) cell.append(element('span'), element('div', 'gauge', element('i')));
  shards.querySelector('i').style.setProperty('--c', colourOf(executor.id));
  return row;
}

function fillRow(row, executor, namespace, most) {
  const [name, host, status, lease, shards, load] = row.cells;
  const put = (node, text) => { if (node.textContent !== text) node.textContent = text; };
  const gauge = (cell, share) => cell.querySelector('i').style.setProperty('--w', `${Math.min(100, share * 100)}%`);
  put(name.lastChild, executor.labels.map(([key, value]) => `${key}=${value}`).join(', '));
  put(host, executor.host || executor.address || '–');
  host.title = executor.address;
  put(status, executor.status);
  status.className = executor.status === 'leaving' ? 'leaving' : '';
  const left = executor.left;
  put(lease.firstChild, left === undefined ? '–' : seconds(left));
  lease.className = left !== undefined && left < namespace.leaseMillis / 3 ? 'low' : '';
  lease.title = executor.age === undefined ? '' : `renewed ${seconds(executor.age)} before`;
  gauge(lease, (left ?? 0) / namespace.leaseMillis);
  const count = namespace.counts.get(executor.id) ?? 0;
  put(shards.firstChild, number(count));
  gauge(shards, count / most);
  put(load, executor.load === undefined ? '–' : number(executor.load));
}

/** The lists of moves and events, newest first. Entries that are shown already stay as they are. */
export function logs(state, namespace) {
  const mine = (item) => item.namespace === '' || item.namespace === namespace.name;
  log(find('moves'), namespace.name, state.moves.filter(mine), (move) => [
    element('span', '', `shard ${move.shard}: ${move.from ?? 'nobody'} → ${move.to ?? 'nobody'}`),
    element('span', 'why', ` · epoch ${move.epoch} · ${move.reason}`),
  ]);
  log(find('events'), namespace.name, state.events.filter(mine), (event) => [element('span', event.warning ? 'warning' : '', event.text)]);
  find('move-count').textContent = state.moveCount > 0 ? `${number(state.moveCount)} in all namespaces since the server started` : '';
}

function log(list, name, items, content) {
  const shown = new Map(list.dataset.namespace === name ? [...list.children].map((line) => [line.dataset.key, line]) : []);
  list.dataset.namespace = name;
  const lines = items.reverse().map((item) => {
    const key = `${item.sequence} ${item.time}`;
    if (shown.has(key)) return shown.get(key);
    const time = element('time', '', clock.format(item.time));
    time.dateTime = new Date(item.time).toISOString();
    const line = element('li', '', time, ...content(item));
    line.dataset.key = key;
    return line;
  });
  if (lines.length !== list.children.length || lines[0] !== list.firstElementChild) list.replaceChildren(...lines);
}

const where = (cell) =>
  cell.owner === null ? 'unassigned' : !cell.releasing ? 'assigned' : cell.next ? `releasing, then to ${cell.next}` : 'releasing';

/** What the page knows of a cell, as [name, value]; `more` is what the server added when it was asked. */
export function facts(cell, more) {
  return [
    ['shard', cell.key],
    ['owner', cell.owner ?? 'nobody'],
    ['epoch', String(cell.epoch)],
    ['state', where(cell)],
    ['load', cell.load === null ? 'not measured' : number(cell.load)],
    ...(more?.activity ? [['activity', more.activity]] : []),
    ...(more?.address ? [['address', more.address]] : []),
    ...(more?.reason ? [['reason', more.reason]] : []),
  ];
}

export function details(cell, more) {
  const shown = cell ? facts(cell, more) : [];
  const box = find('details');
  if (box.textContent === shown.flat().join('')) return; // replaced, it would be read aloud again
  box.replaceChildren(...shown.flatMap(([name, value]) => [element('dt', '', name), element('dd', '', value)]));
}

export function tip(cell, rectangle, more) {
  const box = find('tip');
  box.hidden = !cell;
  if (!cell) return;
  box.textContent = facts(cell, more).map(([name, value]) => `${name}: ${value}`).join('\n');
  const { width, height } = box.getBoundingClientRect();
  const below = rectangle.bottom + 8 + height < innerHeight;
  box.style.left = `${Math.max(4, Math.min(innerWidth - width - 4, rectangle.left))}px`;
  box.style.top = `${below ? rectangle.bottom + 8 : Math.max(4, rectangle.top - height - 8)}px`;
}
