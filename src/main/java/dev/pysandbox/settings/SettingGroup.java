package dev.pysandbox.settings;

/**
 * A record of settings that belong together, or a record of such groups.
 *
 * <p>A component that is a group contains further settings; every other component is a setting. The canonical
 * constructor checks the values.
 */
public interface SettingGroup {}
