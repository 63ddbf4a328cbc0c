package org.trackpress.client

/**
 * Prints the positions of a share until it ends: `WatchShare <address of the server> <token of the share>`. West, south,
 * east and north in degrees may follow: of a very large event, it then reads that area.
 */
fun main(arguments: Array<String>) {
    val (baseUrl, shareToken) = arguments
    val area = arguments.drop(2).map { it.toDouble() }.takeIf { it.size == 4 }?.let { (west, south, east, north) -> Area(west, south, east, north) }
    val watcher = ShareWatcher(baseUrl, shareToken, tiles = { area?.let { Tile.covering(it) } })
    try {
        watcher.watch { frame ->
            println("frame ${frame.number}, tracks that changed: ${frame.changed.size}" + frame.tiles?.let { ", tiles: ${it.size}" }.orEmpty())
            for (track in frame.changed) println("${track.id} ${track.state} ${track.latitude} ${track.longitude}")
            true
        }
    } catch (ended: ShareEndedException) {
        println("ended ${ended.status}")
    }
}
