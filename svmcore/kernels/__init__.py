"""Kernels: what each is (`kernel`), the compiled Gaussian (`gaussian`), rows of a large matrix on demand (`rows`),
whether a matrix is positive semidefinite (`definiteness`)."""

from svmcore.kernels.kernel import BLOCK_BYTES, FEW_FEATURES, KERNELS, Kernel, KernelInfo, resolve_gamma, slices

__all__ = ["BLOCK_BYTES", "FEW_FEATURES", "KERNELS", "Kernel", "KernelInfo", "resolve_gamma", "slices"]
