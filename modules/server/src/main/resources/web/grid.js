// The cells of the selected namespace: buttons while there are few, one canvas when there are many.

import { colourOf } from './colours.js';

const MAX_BUTTONS = 2000;
const FLASH_MILLIS = 1600;
const MAX_FLASHES = 2000;
const PAINT_MILLIS = 8; // of a frame; what is not painted then waits for the next one
const SCROLLBAR_PIXELS = 16;
const MAX_CANVAS_PIXELS = 16000; // in one direction; browsers draw nothing beyond

export class Grid {
  /** `on.point(cell or null, rectangle)` when one is pointed at, `on.select(cell)` when one is chosen. */
  constructor(box, on) {
    this.box = box;
    this.on = on;
    this.namespace = null;
    this.selected = null;
    this.view = null;
    let width = 0;
    new ResizeObserver(() => {
      if (this.namespace && Math.abs(box.clientWidth - width) > 2) {
        width = box.clientWidth;
        if (this.view instanceof CanvasCells) this.show(this.namespace);
      }
    }).observe(box);
    box.addEventListener('keydown', (event) => this.#key(event));
    box.addEventListener('pointerleave', () => on.point(null));
  }

  /** Shows a namespace from the start. */
  show(namespace) {
    const scroll = this.namespace?.name === namespace?.name ? this.box.scrollTop : 0;
    const focused = this.box.contains(document.activeElement);
    this.namespace = namespace;
    this.view?.close?.();
    this.box.replaceChildren();
    this.view = null;
    if (!namespace || namespace.cells.length === 0) return;
    this.selected = this.selected && (namespace.byKey.get(this.selected.key) ?? null);
    this.view = namespace.cells.length > MAX_BUTTONS ? new CanvasCells(this) : new ButtonCells(this);
    this.box.scrollTop = scroll;
    if (focused) this.view.focus(this.selected?.index ?? 0);
  }

  paint(cells) {
    for (const cell of cells) if (cell.index !== undefined) this.view?.paint(cell);
  }

  flash(cells) {
    for (const cell of cells.slice(-MAX_FLASHES)) this.view?.flash(cell);
  }

  select(cell) {
    const before = this.selected;
    this.selected = cell;
    if (before && before.index !== undefined) this.view?.paint(before);
    if (cell) this.view?.paint(cell);
    this.on.select(cell);
  }

  #key(event) {
    const cells = this.namespace?.cells ?? [];
    const step = {
      ArrowLeft: -1, ArrowRight: 1, ArrowUp: -this.view?.columns(), ArrowDown: this.view?.columns(), Home: -cells.length, End: cells.length,
    }[event.key];
    if (step && cells.length > 0) {
      event.preventDefault();
      const at = Math.min(cells.length - 1, Math.max(0, this.view.current + step));
      this.view.focus(at);
      this.select(cells[at]);
    } else if (event.key === 'Escape') {
      this.select(null);
      this.on.point(null);
    }
  }
}

/** The share of a cell that is filled: its load on the scale of the namespace; all of it where nothing was measured. */
const fill = (namespace, cell) =>
  cell.load === null || !(namespace.maxLoad > 0) ? 1 : Math.max(0.06, cell.load / namespace.maxLoad);

const label = (cell) =>
  `shard ${cell.key}, ${cell.owner === null ? 'nobody owns it' : `owner ${cell.owner}`}${cell.releasing ? ', being released' : ''}, epoch ${cell.epoch}`;

class ButtonCells {
  constructor(grid) {
    this.grid = grid;
    this.current = grid.selected?.index ?? 0;
    const cells = grid.namespace.cells;
    const longest = cells.reduce((most, cell) => Math.max(most, cell.key.length), 0);
    this.named = cells.length <= 600 && longest <= 24;
    const size = this.named ? Math.max(cells.length <= 128 ? 40 : 30, Math.min(110, longest * 7 + 8)) : cells.length <= 600 ? 22 : 16;
    grid.box.style.setProperty('--size', `${size}px`);
    this.buttons = cells.map((cell) => this.#button(cell));
    cells.forEach((cell) => this.paint(cell));
    grid.box.append(...this.buttons);
  }

  #button(cell) {
    const button = document.createElement('button');
    button.type = 'button';
    button.tabIndex = cell.index === this.current ? 0 : -1;
    button.dataset.key = cell.key;
    if (this.named) button.textContent = cell.key;
    const at = () => this.grid.namespace.byKey.get(cell.key);
    const point = () => this.grid.on.point(at() ?? null, button.getBoundingClientRect());
    button.addEventListener('pointerenter', point);
    button.addEventListener('focus', point);
    button.addEventListener('blur', () => this.grid.on.point(null));
    button.addEventListener('click', () => {
      this.#rove(cell.index);
      this.grid.select(at() ?? null);
    });
    button.addEventListener('animationend', () => button.classList.remove('moved'));
    return button;
  }

  paint(cell) {
    const button = this.buttons[cell.index];
    if (!button) return;
    const moving = button.classList.contains('moved') ? ' moved' : '';
    button.className = `cell${cell.owner === null ? ' unowned' : ''}${cell.releasing ? ' releasing' : ''}${moving}`;
    button.dataset.owner = cell.owner ?? '';
    button.setAttribute('aria-label', label(cell));
    button.setAttribute('aria-pressed', String(cell === this.grid.selected));
    if (cell.owner !== null) button.style.setProperty('--c', colourOf(cell.owner));
    button.style.setProperty('--fill', `${Math.round(fill(this.grid.namespace, cell) * 100)}%`);
  }

  flash(cell) {
    const button = this.buttons[cell.index];
    button?.classList.remove('moved');
    requestAnimationFrame(() => button?.classList.add('moved'));
  }

  columns() {
    return getComputedStyle(this.grid.box).gridTemplateColumns.split(' ').length;
  }

  #rove(index) {
    this.buttons[this.current]?.setAttribute('tabindex', '-1');
    this.buttons[index]?.setAttribute('tabindex', '0');
    this.current = index;
  }

  focus(index) {
    this.#rove(index);
    this.buttons[index]?.focus();
  }
}

class CanvasCells {
  constructor(grid) {
    this.grid = grid;
    this.current = grid.selected?.index ?? 0;
    this.flashes = new Map(); // cell -> end
    this.unpainted = new Set();
    const count = grid.namespace.cells.length;
    this.pitch = count <= 6000 ? 14 : count <= 20000 ? 10 : count <= 120000 ? 6 : 4;
    this.across = Math.max(1, Math.floor((grid.box.clientWidth - 4 - SCROLLBAR_PIXELS) / this.pitch));
    const height = Math.ceil(count / this.across) * this.pitch;
    const scale = Math.max(0.1, Math.min(devicePixelRatio || 1, MAX_CANVAS_PIXELS / height));
    this.canvas = document.createElement('canvas');
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute('role', 'img');
    this.canvas.setAttribute('aria-label', `${count} shards; arrow keys choose one, which is described below`);
    this.canvas.width = this.across * this.pitch * scale;
    this.canvas.height = height * scale;
    this.canvas.style.width = `${this.across * this.pitch}px`;
    this.canvas.style.height = `${height}px`;
    this.pen = this.canvas.getContext('2d');
    this.pen.scale(scale, scale);
    this.dark = matchMedia('(prefers-color-scheme: dark)');
    this.repaint = () => this.#all();
    this.dark.addEventListener('change', this.repaint);
    this.canvas.addEventListener('pointermove', (event) => {
      const cell = this.#at(event);
      grid.on.point(cell, cell && this.#rectangle(cell.index));
    });
    this.canvas.addEventListener('click', (event) => {
      const cell = this.#at(event);
      if (cell) {
        this.current = cell.index;
        grid.select(cell);
      }
    });
    grid.box.append(this.canvas);
    this.#all();
  }

  close() {
    this.dark.removeEventListener('change', this.repaint);
    this.flashes.clear();
    this.unpainted.clear();
  }

  #all() {
    const style = getComputedStyle(this.grid.box);
    this.colours = Object.fromEntries(['panel', 'none', 'ink', 'stripe'].map((name) => [name, style.getPropertyValue(`--${name}`)]));
    for (const cell of this.grid.namespace.cells) this.paint(cell);
  }

  #place(index) {
    return [(index % this.across) * this.pitch, Math.floor(index / this.across) * this.pitch];
  }

  #at(event) {
    const x = Math.floor(event.offsetX / this.pitch);
    return x < this.across ? this.grid.namespace.cells[Math.floor(event.offsetY / this.pitch) * this.across + x] ?? null : null;
  }

  #rectangle(index) {
    const [x, y] = this.#place(index);
    const box = this.canvas.getBoundingClientRect();
    return new DOMRect(box.x + x, box.y + y, this.pitch, this.pitch);
  }

  paint(cell) {
    if (this.unpainted.size === 0) requestAnimationFrame(() => this.#paintSome());
    this.unpainted.add(cell);
  }

  #paintSome() {
    const end = performance.now() + PAINT_MILLIS;
    let count = 0;
    for (const cell of this.unpainted) {
      this.unpainted.delete(cell);
      this.#draw(cell);
      if (++count % 64 === 0 && performance.now() > end) break;
    }
    if (this.unpainted.size > 0) requestAnimationFrame(() => this.#paintSome());
  }

  #draw(cell) {
    const { pen, pitch, colours } = this;
    const [x, y] = this.#place(cell.index);
    const side = pitch - (pitch > 4 ? 1 : 0.5);
    pen.fillStyle = colours.panel;
    pen.fillRect(x, y, pitch, pitch);
    if (cell.owner === null) {
      pen.fillStyle = colours.none;
      pen.fillRect(x, y, side, side);
    } else {
      pen.fillStyle = colourOf(cell.owner);
      const full = side * fill(this.grid.namespace, cell);
      pen.globalAlpha = 0.55;
      pen.fillRect(x, y, side, side - full);
      pen.globalAlpha = 1;
      pen.fillRect(x, y + side - full, side, full);
    }
    if (cell.releasing) {
      pen.fillStyle = colours.stripe;
      for (let stripe = 0; stripe < side; stripe += 4) pen.fillRect(x, y + stripe, side, Math.min(2, side - stripe));
    }
    if (cell === this.grid.selected || this.flashes.has(cell)) {
      pen.strokeStyle = colours.ink;
      pen.lineWidth = cell === this.grid.selected ? 2 : 1.5;
      pen.strokeRect(x + 1, y + 1, side - 2, side - 2);
    }
  }

  flash(cell) {
    if (cell.index === undefined) return;
    if (this.flashes.size === 0) setTimeout(() => this.#fade(), FLASH_MILLIS);
    this.flashes.set(cell, performance.now() + FLASH_MILLIS);
    this.paint(cell);
  }

  #fade() {
    for (const [cell, end] of this.flashes) {
      if (end <= performance.now()) {
        this.flashes.delete(cell);
        this.paint(cell);
      }
    }
    if (this.flashes.size > 0) setTimeout(() => this.#fade(), 200);
  }

  columns() {
    return this.across;
  }

  focus(index) {
    this.current = index;
    this.canvas.focus();
    const [, y] = this.#place(index);
    const box = this.grid.box;
    if (y < box.scrollTop || y > box.scrollTop + box.clientHeight - this.pitch) box.scrollTop = y - box.clientHeight / 2;
  }
}
