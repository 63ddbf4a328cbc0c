import type { DrawnRunner } from './replay-timeline.ts'
import { HALO_WIDTH_PX, haloColour, RING_WIDTH_PX } from './sprites.ts'

/** Numbers of a head: its place, whether it is a ring, and its colour as four bytes. */
const PER_HEAD = 4
const BYTES_PER_HEAD = 4 * PER_HEAD
const COLOUR_AT = 3
/** Room around a disc for its halo. */
const MARGIN_PX = 2

const VERTEX_SHADER = `#version 300 es
in vec3 place;
in vec4 colour;
uniform vec2 size;
uniform float diameter;
out vec4 own;
out float ring;
void main() {
  gl_Position = vec4(place.xy / size * vec2(2.0, -2.0) + vec2(-1.0, 1.0), 0.0, 1.0);
  gl_PointSize = diameter;
  own = colour;
  ring = place.z;
}`

const FRAGMENT_SHADER = `#version 300 es
precision highp float;
uniform vec3 halo;
uniform vec2 widths;
uniform float radius;
uniform float ratio;
uniform float diameter;
in vec4 own;
in float ring;
out vec4 pixel;
float within(float px) {
  return clamp(px * ratio + 0.5, 0.0, 1.0);
}
void main() {
  float away = length(gl_PointCoord - 0.5) * diameter / ratio;
  float half_width = mix(widths.x, widths.y, ring) / 2.0;
  vec3 line = mix(halo, own.rgb, ring);
  vec3 middle = mix(own.rgb, halo, ring);
  float opacity = within(radius + half_width - away) * own.a;
  pixel = vec4(mix(line, middle, within(radius - half_width - away)) * opacity, opacity);
}`

/** Draws the heads of thousands of runners by WebGL, with one call. Copying a picture for each takes a phone long. */
export class HeadsLayer {
  readonly #gl: WebGL2RenderingContext
  readonly #program: WebGLProgram
  #runners: readonly DrawnRunner[] | undefined
  /** The colour of each runner. */
  #colours = new Uint32Array(0)
  #numbers = new Float32Array(0)
  #words = new Uint32Array(0)
  #count = 0

  private constructor(gl: WebGL2RenderingContext) {
    this.#gl = gl
    this.#program = linkProgram(gl)
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer())
    this.#attribute('place', 3, gl.FLOAT, 0)
    this.#attribute('colour', 4, gl.UNSIGNED_BYTE, COLOUR_AT * 4)
    // biome-ignore lint/correctness/useHookAtTopLevel: a method of WebGL
    gl.useProgram(this.#program)
    gl.enable(gl.BLEND)
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA)
  }

  /** Begins to draw on a canvas; undefined where there is no WebGL. */
  static on(canvas: HTMLCanvasElement): HeadsLayer | undefined {
    const gl = canvas.getContext('webgl2', { antialias: false, depth: false })
    return gl === null || gl.isContextLost() ? undefined : new HeadsLayer(gl)
  }

  /** False once the system has taken the context away, as it does from pages in the background. */
  get isUsable(): boolean {
    return !this.#gl.isContextLost()
  }

  /** Begins a picture. @param runners must keep their identity while their looks stay */
  begin(runners: readonly DrawnRunner[], dimOpacity: number): void {
    this.#count = 0
    if (runners === this.#runners) return
    this.#runners = runners
    const bytes = new Uint8Array(runners.length * 4)
    for (const [i, { colour, isDim }] of runners.entries()) {
      bytes.set(rgbOf(colour), i * 4)
      bytes[i * 4 + 3] = isDim ? dimOpacity * 255 : 255
    }
    this.#colours = new Uint32Array(bytes.buffer)
    if (this.#words.length >= runners.length * PER_HEAD) return
    this.#numbers = new Float32Array(runners.length * PER_HEAD)
    this.#words = new Uint32Array(this.#numbers.buffer)
  }

  /** Adds the head of the runner with an index, above those before, in pixels of the map. */
  add(index: number, x: number, y: number, isRing: number): void {
    const at = this.#count++ * PER_HEAD
    this.#numbers[at] = x
    this.#numbers[at + 1] = y
    this.#numbers[at + 2] = isRing
    this.#words[at + COLOUR_AT] = this.#colours[index]
  }

  /** Draws the picture in place of the one before. @param ratio pixels of the screen for one of the map */
  end({ radius, dark, ratio }: { radius: number; dark: boolean; ratio: number }): void {
    const gl = this.#gl
    const { width, height } = gl.canvas
    gl.bufferData(gl.ARRAY_BUFFER, this.#numbers.subarray(0, this.#count * PER_HEAD), gl.DYNAMIC_DRAW)
    gl.viewport(0, 0, width, height)
    gl.uniform2f(this.#uniform('size'), width / ratio, height / ratio)
    gl.uniform1f(this.#uniform('diameter'), Math.ceil(2 * (radius + MARGIN_PX) * ratio))
    gl.uniform1f(this.#uniform('radius'), radius)
    gl.uniform1f(this.#uniform('ratio'), ratio)
    gl.uniform2f(this.#uniform('widths'), HALO_WIDTH_PX, RING_WIDTH_PX)
    const [red, green, blue] = rgbOf(haloColour(dark))
    gl.uniform3f(this.#uniform('halo'), red / 255, green / 255, blue / 255)
    gl.clear(gl.COLOR_BUFFER_BIT)
    gl.drawArrays(gl.POINTS, 0, this.#count)
  }

  /** Gives the context back: a browser has few. */
  remove(): void {
    this.#gl.getExtension('WEBGL_lose_context')?.loseContext()
  }

  #attribute(name: string, size: number, type: number, offset: number): void {
    const gl = this.#gl
    const at = gl.getAttribLocation(this.#program, name)
    gl.enableVertexAttribArray(at)
    gl.vertexAttribPointer(at, size, type, type === gl.UNSIGNED_BYTE, BYTES_PER_HEAD, offset)
  }

  #uniform(name: string): WebGLUniformLocation | null {
    return this.#gl.getUniformLocation(this.#program, name)
  }
}

function linkProgram(gl: WebGL2RenderingContext): WebGLProgram {
  const program = gl.createProgram()
  for (const [type, source] of [
    [gl.VERTEX_SHADER, VERTEX_SHADER],
    [gl.FRAGMENT_SHADER, FRAGMENT_SHADER],
  ] as const) {
    const shader = gl.createShader(type)!
    gl.shaderSource(shader, source)
    gl.compileShader(shader)
    gl.attachShader(program, shader)
  }
  gl.linkProgram(program)
  return program
}

/** Returns the bytes for red, green and blue of a colour in the form `#rrggbb`. */
function rgbOf(colour: string): number[] {
  const value = Number.parseInt(colour.slice(1), 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}
