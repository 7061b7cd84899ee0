/* A Vulkan driver for tests: forwards to Mesa's lavapipe, but introduces itself as SwiftShader.

   Chromium accepts one Vulkan device that runs on the CPU: SwiftShader, known by its vendor and
   device number. Lavapipe computes the same things several times faster and has 16-bit floats, so
   the tests put this library where SwiftShader's is expected. Chromium's loader asks it for every
   entry point by name; all but the two that report a device's numbers are lavapipe's own. */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORTED __attribute__((visibility("default")))
#define LAVAPIPE "libvulkan_lvp.so" /* found through this library's run path */

enum { SWIFTSHADER_VENDOR = 0x1AE0, SWIFTSHADER_DEVICE = 0xC0DE };

/* The beginning of VkPhysicalDeviceProperties and VkPhysicalDeviceProperties2: all that is touched. */
typedef struct { uint32_t api_version, driver_version, vendor_id, device_id; } Properties;
typedef struct { int32_t structure_type; void *next; Properties properties; } Properties2;

typedef void (*Function)(void);
typedef Function (*Resolve)(void *handle, const char *name);
typedef int32_t (*Negotiate)(uint32_t *version);

EXPORTED Function vk_icdGetInstanceProcAddr(void *instance, const char *name);

static void (*lavapipe_properties)(void *device, Properties *properties);
static void (*lavapipe_properties2)(void *device, Properties2 *properties);

static Function lavapipe_symbol(const char *name) {
    static void *library;
    if (!library) library = dlopen(LAVAPIPE, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        fprintf(stderr, "test adapter: %s\n", dlerror());
        abort();
    }
    return (Function)dlsym(library, name);
}

static void rename_device(Properties *properties) {
    properties->vendor_id = SWIFTSHADER_VENDOR;
    properties->device_id = SWIFTSHADER_DEVICE;
}

static void properties(void *device, Properties *result) {
    lavapipe_properties(device, result);
    rename_device(result);
}

static void properties2(void *device, Properties2 *result) {
    lavapipe_properties2(device, result);
    rename_device(&result->properties);
}

/* Puts ours in the place of the two functions that report numbers; passes everything else on. */
static Function replace(const char *name, Function original) {
    if (!original) return original;
    if (!strcmp(name, "vkGetPhysicalDeviceProperties")) {
        lavapipe_properties = (void (*)(void *, Properties *))original;
        return (Function)properties;
    }
    if (!strcmp(name, "vkGetPhysicalDeviceProperties2") ||
        !strcmp(name, "vkGetPhysicalDeviceProperties2KHR")) {
        lavapipe_properties2 = (void (*)(void *, Properties2 *))original;
        return (Function)properties2;
    }
    return original;
}

EXPORTED Function vk_icdGetInstanceProcAddr(void *instance, const char *name) {
    if (!strcmp(name, "vkGetInstanceProcAddr")) return (Function)vk_icdGetInstanceProcAddr;
    Resolve resolve = (Resolve)lavapipe_symbol("vk_icdGetInstanceProcAddr");
    return resolve ? replace(name, resolve(instance, name)) : NULL;
}

EXPORTED Function vkGetInstanceProcAddr(void *instance, const char *name) {
    return vk_icdGetInstanceProcAddr(instance, name);
}

EXPORTED Function vk_icdGetPhysicalDeviceProcAddr(void *instance, const char *name) {
    Resolve resolve = (Resolve)lavapipe_symbol("vk_icdGetPhysicalDeviceProcAddr");
    return resolve ? replace(name, resolve(instance, name)) : NULL;
}

EXPORTED int32_t vk_icdNegotiateLoaderICDInterfaceVersion(uint32_t *version) {
    Negotiate negotiate = (Negotiate)lavapipe_symbol("vk_icdNegotiateLoaderICDInterfaceVersion");
    return negotiate ? negotiate(version) : -1;
}
