package org.trackpress.client

/** A part of the world, in degrees. */
data class Area(val west: Double, val south: Double, val east: Double, val north: Double)

private const val UNITS_PER_DEGREE = 100_000
/** Zoom at which a tile would have a side of one unit of a position. */
private const val UNIT_ZOOM = 25
/** Most tiles that are worth their requests. A larger area gets the frames of the whole event. */
private const val MAX_TILES = 12

/** A square of latitude and longitude of which frames can be read alone. Its zoom is 11, 13 or 15. */
data class Tile(val zoom: Int, val x: Int, val y: Int) {
    /** Its part of an address. */
    val path get() = "$zoom/$x/$y"

    /** Tells whether a track is in the tile. One without a position is in none. */
    operator fun contains(track: FrameTrack): Boolean {
        val latitude = track.latitude ?: return false
        val longitude = track.longitude ?: return false
        return at(latitude, longitude, zoom) == this
    }

    companion object {
        val ZOOMS = listOf(15, 13, 11)

        /** Returns the tile of a zoom that has a place. */
        fun at(latitude: Double, longitude: Double, zoom: Int): Tile {
            fun row(degrees: Double, limit: Double): Int {
                val units = Math.round((degrees.coerceIn(-limit, limit) + limit) * UNITS_PER_DEGREE)
                return (units shr (UNIT_ZOOM - zoom)).toInt()
            }
            return Tile(zoom, row(longitude, 180.0), row(latitude, 90.0))
        }

        /**
         * Returns the tiles that cover an area and some tracks beside it, such as followed runners; null if the area is
         * too large for tiles.
         */
        fun covering(area: Area, beside: List<FrameTrack> = emptyList()): List<Tile>? {
            for (zoom in ZOOMS) {
                val from = at(area.south, area.west, zoom)
                val to = at(area.north, area.east, zoom)
                val (width, height) = listOf(to.x - from.x + 1, to.y - from.y + 1)
                // An area across the date line has none.
                if (width < 1 || height < 1 || width.toLong() * height > MAX_TILES) continue
                val inArea = (from.y..to.y).flatMap { y -> (from.x..to.x).map { x -> Tile(zoom, x, y) } }
                val others = beside.mapNotNull { (_, _, _, latitude, longitude) ->
                    if (latitude == null || longitude == null) null else at(latitude, longitude, zoom)
                }
                return (inArea + others).distinct()
            }
            return null
        }
    }
}

/** Reads the tiles that are wanted. [read] reads an address below that of the frames; null for what is not there. */
internal class TileReader(private val read: (path: String) -> ByteArray?) {
    private val readers = LinkedHashMap<Tile, FrameReader>()

    /** True if a frame was gone or did not follow. Then tracks may be gone, also outside of the tiles. */
    var hasGap = false
        private set

    /** Reads the parts of new frames in tiles. A tile that is new itself begins with the newest frame. */
    fun next(tiles: List<Tile>, numbers: List<Long>): Sequence<Frame> = sequence {
        hasGap = false
        readers.keys.retainAll(tiles.toSet())
        val begun = tiles.filter { it !in readers }
        for (number in numbers) {
            val behind = readers.filterValues { number > (it.number ?: number) }
            val found = behind.map { (tile, reader) -> take(tile, reader, "$number/tiles/${tile.path}") }
            if (found.any { it == null || it.isWhole }) hasGap = true
            together(found, tiles)?.let { yield(it) }
        }
        val newest = numbers.last()
        val whole = begun.map { take(it, FrameReader(it), "$newest/tiles/${it.path}?whole=true") }
        together(whole, tiles)?.let { yield(it) }
    }

    private fun take(tile: Tile, reader: FrameReader, path: String): Frame? {
        val frame = read(path)?.let(reader::take)
        if (frame == null) readers.remove(tile) else readers[tile] = reader
        return frame
    }

    private fun together(found: List<Frame?>, tiles: List<Tile>): Frame? {
        val parts = found.filterNotNull()
        val first = parts.firstOrNull() ?: return null
        // One that goes from tile to tile is in both.
        val changed = parts.flatMap { it.changed }.associateBy { it.id }.values.toList()
        return Frame(first.number, first.asOfMs, first.delaySec, first.leftOut, first.isWhole, changed, tiles)
    }
}
